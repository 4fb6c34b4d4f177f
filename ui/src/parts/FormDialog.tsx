import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ProblemNote } from "./ProblemNote";

type Props = {
  opened: boolean;
  title: string;
  /** What is done, as a verb. */
  submit: string;
  busy: boolean;
  /** Until it can be sent. */
  incomplete?: boolean;
  problem?: unknown;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog: Enter sends it, what was wrong stands above the button. */
export function FormDialog(props: Props) {
  const { opened, title, submit, busy, incomplete, problem, onSubmit, onClose, children } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack gap="sm">
          {children}
          {problem ? <ProblemNote problem={problem} /> : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={incomplete}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

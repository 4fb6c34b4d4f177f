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
  /** Fields that tell their problem themselves. */
  told?: readonly string[];
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog: Enter sends it, what was wrong stands above the button. */
export function FormDialog(props: Props) {
  const { opened, title, submit, busy, incomplete, problem, told, onSubmit, onClose, children } = props;
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
          {problem ? <ProblemNote problem={problem} told={told} /> : null}
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

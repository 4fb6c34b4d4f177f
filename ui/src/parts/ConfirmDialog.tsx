import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ProblemNote } from "./ProblemNote";

type Props = {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** What is done, as a verb: the button says it, not "OK". */
  confirm: string;
  dangerous?: boolean;
  busy?: boolean;
  problem?: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  dangerous,
  busy,
  problem,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {problem ? <ProblemNote problem={problem} /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it as it is
          </Button>
          <Button color={dangerous ? "red.9" : undefined} loading={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

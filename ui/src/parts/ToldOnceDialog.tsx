import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { ToldOnce } from "./ToldOnce";

type Props = {
  opened: boolean;
  title: string;
  label: string;
  secret: string;
  size?: string;
  onClose: () => void;
  children?: ReactNode;
};

/** What was just made, with the secret that is told this once. */
export function ToldOnceDialog({ opened, title, label, secret, size, onClose, children }: Props) {
  return (
    // Gone by a slip of the hand, the secret would be gone for good.
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Stack gap="sm">
        <ToldOnce label={label} secret={secret}>
          {children}
        </ToldOnce>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

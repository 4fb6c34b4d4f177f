import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { ProblemNote } from "@/parts/ProblemNote";
import { ToldOnce } from "@/parts/ToldOnce";
import { useResetPassword } from "./queries";

type Props = { name: string; opened: boolean; onClose: () => void };

/** A new password, told once to whoever passes it on. */
export function ResetPasswordDialog({ name, opened, onClose }: Props) {
  const reset = useResetPassword(name);
  const close = () => {
    reset.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={`Reset the password of ${name}`}>
      <Stack gap="sm">
        {reset.data ? (
          <ToldOnce label="The new password" secret={reset.data.password} />
        ) : (
          <Text size="sm">
            A new one is made. Whoever is logged in as {name} with the old one is out at once, and so is every
            program with a token of theirs.
          </Text>
        )}
        {reset.error && <ProblemNote problem={reset.error} />}
        <Group justify="flex-end" gap="xs">
          {reset.data ? (
            <Button onClick={close}>Done</Button>
          ) : (
            <>
              <Button variant="default" onClick={close} data-autofocus>
                Keep it as it is
              </Button>
              <Button loading={reset.isPending} onClick={() => reset.mutate(undefined)}>
                Make a new password
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

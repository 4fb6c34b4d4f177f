import { Button, Group, Modal, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";
import { ToldOnce } from "@/parts/ToldOnce";
import { type NewUser, useCreateUser } from "./queries";

const EMPTY: NewUser = { name: "", display_name: "", email: null, is_platform_admin: false };

/** Makes a user; the password that was made for them is told once. */
export function NewUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const create = useCreateUser();
  const set = (part: Partial<NewUser>) => setDraft((before) => ({ ...before, ...part }));
  const problem = fieldProblems(create.error);
  const close = () => {
    setDraft(EMPTY);
    create.reset();
    onClose();
  };
  if (create.data)
    return (
      <Modal opened={opened} onClose={close} title={`${create.data.name} is made`}>
        <Stack gap="sm">
          <ToldOnce label="The password" secret={create.data.password ?? ""}>
            <Text size="sm">
              They log in with it and then set their own under Account. Add them to a workspace so that they
              see something.
            </Text>
          </ToldOnce>
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    );
  return (
    <FormDialog
      opened={opened}
      title="New user"
      submit="Create the user"
      busy={create.isPending}
      incomplete={!draft.name}
      problem={create.error}
      onSubmit={() => create.mutate(draft)}
      onClose={close}
    >
      <TextInput
        label="Name"
        description="What they log in with"
        required
        autoComplete="off"
        value={draft.name}
        error={problem("name")}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Called"
        placeholder="Ann Example"
        value={draft.display_name}
        error={problem("display_name")}
        onChange={(event) => set({ display_name: event.currentTarget.value })}
      />
      <TextInput
        label="E-mail"
        placeholder="ann@example.org"
        value={draft.email ?? ""}
        error={problem("email")}
        onChange={(event) => set({ email: event.currentTarget.value || null })}
      />
      <Switch
        label="Platform admin"
        description="Makes users and workspaces, and is admin everywhere"
        checked={draft.is_platform_admin}
        onChange={(event) => set({ is_platform_admin: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

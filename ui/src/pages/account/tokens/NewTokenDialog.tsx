import { Button, Group, Modal, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CreatedToken } from "@/api/types";
import { useWorkspaces } from "@/app/session";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";
import { RoleSelect } from "@/parts/RoleSelect";
import { ToldOnce } from "@/parts/ToldOnce";
import { HowToUse } from "./HowToUse";
import { type NewToken, useCreateToken } from "./queries";

const EMPTY: NewToken = { name: "", role: "viewer", workspace: null, days: 90 };

/** Makes a token; its secret is told once, with how it is used. */
export function NewTokenDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY);
  const workspaces = useWorkspaces();
  const create = useCreateToken();
  const set = (part: Partial<NewToken>) => setDraft((before) => ({ ...before, ...part }));
  const problem = fieldProblems(create.error);
  const close = () => {
    setDraft(EMPTY);
    create.reset();
    onClose();
  };
  if (create.data) return <Made token={create.data} opened={opened} onClose={close} />;
  return (
    <FormDialog
      opened={opened}
      title="New token"
      submit="Create the token"
      busy={create.isPending}
      incomplete={!draft.name}
      problem={create.error}
      onSubmit={() => create.mutate(draft)}
      onClose={close}
    >
      <TextInput
        label="What it is for"
        placeholder="CI of the sales team"
        required
        value={draft.name}
        error={problem("name")}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      <RoleSelect
        label="Role"
        description="The most it may do, whatever you may"
        value={draft.role}
        onChange={(role) => set({ role })}
      />
      <Select
        label="Workspace"
        description="The only one it opens"
        placeholder="All of yours"
        data={workspaces.map((one) => one.name)}
        value={draft.workspace}
        onChange={(workspace) => set({ workspace })}
        clearable
        clearButtonProps={{ "aria-label": "All of yours" }}
      />
      <NumberInput
        label="Days it is good for"
        size="xs"
        min={1}
        max={366}
        value={draft.days}
        error={problem("days")}
        onChange={(days) => set({ days: Number(days) || 1 })}
      />
    </FormDialog>
  );
}

function Made({ token, opened, onClose }: { token: CreatedToken; opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={`${token.name} is made`} size="lg">
      <Stack gap="sm">
        <ToldOnce label="The token" secret={token.secret}>
          <HowToUse />
        </ToldOnce>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWorkspaces } from "@/app/session";
import { CountInput } from "@/parts/CountInput";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";
import { RoleSelect } from "@/parts/RoleSelect";
import { ToldOnceDialog } from "@/parts/ToldOnceDialog";
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
  if (create.data)
    return (
      <ToldOnceDialog
        opened={opened}
        title={`${create.data.name} is made`}
        label="The token"
        secret={create.data.secret}
        size="lg"
        onClose={close}
      >
        <HowToUse />
      </ToldOnceDialog>
    );
  return (
    <FormDialog
      opened={opened}
      title="New token"
      submit="Create the token"
      busy={create.isPending}
      incomplete={!draft.name}
      problem={create.error}
      told={["name", "days"]}
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
      <CountInput
        label="Days it is good for"
        description="At most 366"
        required
        value={draft.days}
        error={problem("days")}
        onChange={(days) => set({ days: days as number })}
      />
    </FormDialog>
  );
}

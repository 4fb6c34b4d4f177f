import { Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, told } from "@/api/client";
import { workspacesQuery } from "@/app/session";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";

/** Makes a workspace; one goes to its settings, where its quotas are. */
export function NewWorkspaceDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () => told(api.POST("/api/v1/workspaces", { body: { name, description } })),
    onSuccess: async (made) => {
      await queries.invalidateQueries(workspacesQuery);
      await navigate({ to: "/w/$workspace/settings", params: { workspace: made.name } });
    },
  });
  const problem = fieldProblems(make.error);
  return (
    <FormDialog
      opened={opened}
      title="New workspace"
      submit="Make the workspace"
      busy={make.isPending}
      incomplete={!name}
      problem={make.error}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Small letters, digits and hyphens; it stands in addresses and cannot be changed"
        required
        value={name}
        error={problem("name")}
        onChange={(event) => setName(event.currentTarget.value.trim())}
        data-autofocus
      />
      <Textarea
        label="What it is for"
        size="xs"
        autosize
        minRows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        You are its first admin. Quotas and members are set on the next pages.
      </Text>
    </FormDialog>
  );
}

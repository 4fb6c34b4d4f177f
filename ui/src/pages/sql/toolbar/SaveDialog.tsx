import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, told } from "@/api/client";
import type { SavedQuery } from "@/api/types";
import { ProblemNote } from "@/parts/ProblemNote";
import { When } from "@/parts/When";
import type { Tab } from "../desk/desk";
import { parametersOf } from "../editor/parameters";
import { savedQueriesQuery, sqlKeys } from "../queries";

type Props = { workspace: string; tab: Tab; onClose: () => void; onSaved: (name: string) => void };

/** Keeps the text for the workspace, under a new name or in place of one that is there. */
export function SaveDialog({ workspace, tab, onClose, onSaved }: Props) {
  const known = useQuery(savedQueriesQuery(workspace)).data ?? [];
  const own = known.find((one) => one.name === tab.saved);
  const [name, setName] = useState(tab.saved ?? "");
  const [typed, setDescription] = useState<string>();
  const there = known.find((one) => one.name === name);
  const description = typed ?? there?.description ?? own?.description ?? "";
  const save = useSave(workspace, () => {
    onSaved(name);
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title="Save this query">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ name, tab, description });
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Small letters, digits, - and _. Everybody in the workspace finds it under this name."
            size="sm"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Textarea
            label="Description"
            size="sm"
            autosize
            minRows={2}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {there && <Replaces saved={there} />}
          {save.error && <ProblemNote problem={save.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending} disabled={name === ""}>
              {there ? "Replace it" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Replaces({ saved }: { saved: SavedQuery }) {
  return (
    <Text size="sm" c="dimmed">
      There is one of this name, saved by {saved.saved_by} <When at={saved.updated_at} />. It is replaced.
    </Text>
  );
}

function useSave(workspace: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, tab, description }: { name: string; tab: Tab; description: string }) => {
      const { parameters, values } = parametersOf(tab.sql, tab.types, tab.values);
      const body = {
        sql: tab.sql,
        description,
        connection: tab.connection ?? null,
        // What was given last is what it is asked with next time.
        parameters: parameters.map((one) => ({ ...one, default: values[one.name] ?? null })),
      };
      const params = { path: { workspace, name } };
      return told(api.PUT("/api/v1/workspaces/{workspace}/saved-queries/{name}", { params, body }));
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: sqlKeys.saved(workspace) });
      onDone();
    },
  });
}

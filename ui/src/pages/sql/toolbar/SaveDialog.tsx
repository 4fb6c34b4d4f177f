import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, told } from "@/api/client";
import { Problem } from "@/api/problem";
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
  const isTaken = save.error instanceof Problem && save.error.status === 409;
  // What is open in the tab is what one means to save; anything else is replaced only when that was asked.
  const isNew = name !== tab.saved && !isTaken;
  return (
    <Modal opened onClose={onClose} title="Save this query">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ name, tab, description, isNew });
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Small letters, digits, - and _. Everybody in the workspace finds it under this name."
            size="sm"
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              save.reset();
            }}
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
          {isTaken && <Replaces name={name} saved={there} />}
          {save.error && !isTaken && <ProblemNote problem={save.error} />}
          <Group justify="flex-end">
            <Button
              type="submit"
              color={isTaken ? "red.9" : undefined}
              loading={save.isPending}
              disabled={name === ""}
            >
              {isTaken ? "Replace it" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Replaces({ name, saved }: { name: string; saved: SavedQuery | undefined }) {
  return (
    <Text size="sm" role="alert">
      There is a query {name} already
      {saved && (
        <>
          , saved by {saved.saved_by} <When at={saved.updated_at} />
        </>
      )}
      . Replace it? What it says now is lost. Or choose another name.
    </Text>
  );
}

type Saving = { name: string; tab: Tab; description: string; isNew: boolean };

function useSave(workspace: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, tab, description, isNew }: Saving) => {
      const { parameters, values } = parametersOf(tab.sql, tab.types, tab.values);
      const body = {
        sql: tab.sql,
        description,
        connection: tab.connection ?? null,
        // What was given last is what it is asked with next time.
        parameters: parameters.map((one) => ({ ...one, default: values[one.name] ?? null })),
      };
      const params = { path: { workspace, name }, query: { new: isNew } };
      return told(api.PUT("/api/v1/workspaces/{workspace}/saved-queries/{name}", { params, body }));
    },
    // Also when it was refused: then there is one that this page does not know yet.
    onSettled: () => queries.invalidateQueries({ queryKey: sqlKeys.saved(workspace) }),
    onSuccess: onDone,
  });
}

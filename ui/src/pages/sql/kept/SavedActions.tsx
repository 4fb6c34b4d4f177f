import { ActionIcon, Button, Group, Menu, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, told } from "@/api/client";
import type { SavedQuery } from "@/api/types";
import { useMay, useMe } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { ProblemNote } from "@/parts/ProblemNote";
import { sqlKeys } from "../queries";
import classes from "./Kept.module.css";

type Props = { workspace: string; saved: SavedQuery };

export function SavedActions({ workspace, saved }: Props) {
  const [renaming, rename] = useDisclosure(false);
  const [removing, remove] = useDisclosure(false);
  const mayRemoveAny = useMay(workspace, "editor");
  const mayRemove = useMe().name === saved.saved_by || mayRemoveAny;
  return (
    <div className={classes.actions}>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for ${saved.name}`}>
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={rename.open}>Rename or describe</Menu.Item>
          {mayRemove && <Menu.Item onClick={remove.open}>Delete</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {renaming && <RenameDialog workspace={workspace} saved={saved} onClose={rename.close} />}
      {removing && <RemoveDialog workspace={workspace} saved={saved} onClose={remove.close} />}
    </div>
  );
}

type DialogProps = Props & { onClose: () => void };

function RenameDialog({ workspace, saved, onClose }: DialogProps) {
  const [name, setName] = useState(saved.name);
  const [description, setDescription] = useState(saved.description ?? "");
  const params = { path: { workspace, name: saved.name } };
  const change = useSavedChange(workspace, onClose, () =>
    told(
      api.PATCH("/api/v1/workspaces/{workspace}/saved-queries/{name}", {
        params,
        body: { name, description },
      }),
    ),
  );
  return (
    <Modal opened onClose={onClose} title={`Rename or describe ${saved.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            size="sm"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
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
          {change.error && <ProblemNote problem={change.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Change it
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function RemoveDialog({ workspace, saved, onClose }: DialogProps) {
  const params = { path: { workspace, name: saved.name } };
  const remove = useSavedChange(workspace, onClose, () =>
    told(api.DELETE("/api/v1/workspaces/{workspace}/saved-queries/{name}", { params })),
  );
  return (
    <ConfirmDialog
      opened
      title={`Delete ${saved.name}?`}
      confirm="Delete it"
      dangerous
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Nobody in the workspace finds it any more. What was asked with it stays in each history.
    </ConfirmDialog>
  );
}

function useSavedChange(workspace: string, onDone: () => void, change: () => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: sqlKeys.saved(workspace) });
      onDone();
    },
  });
}

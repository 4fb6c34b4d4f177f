import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Role } from "@/api/types";
import { FormDialog } from "@/parts/FormDialog";
import { RoleSelect } from "@/parts/RoleSelect";
import { candidatesQuery, useSetMember } from "./queries";

// Longer than between two keys, shorter than one waits for.
const PAUSE = 200;

type Props = { workspace: string; opened: boolean; onClose: () => void };

export function AddMember({ workspace, opened, onClose }: Props) {
  const [name, setName] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [text] = useDebouncedValue(typed, PAUSE);
  const { data } = useQuery({
    ...candidatesQuery(workspace, text === name ? "" : text),
    enabled: opened,
    placeholderData: keepPreviousData,
  });
  const set = useSetMember(workspace);
  const close = () => {
    setName(null);
    setTyped("");
    set.reset();
    onClose();
  };
  const found = data?.map((one) => ({
    value: one.name,
    label: one.display_name ? `${one.name} (${one.display_name})` : one.name,
  }));
  return (
    <FormDialog
      opened={opened}
      title={`Add a member to ${workspace}`}
      submit="Add them"
      busy={set.isPending}
      incomplete={!name}
      problem={set.error}
      onSubmit={() => name && set.mutate({ name, role }, { onSuccess: close })}
      onClose={close}
    >
      <Select
        label="User"
        placeholder="A part of their name"
        data={found ?? []}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        // The server has searched, also in what the label does not show.
        filter={({ options }) => options}
        value={name}
        onChange={setName}
        nothingFoundMessage="No user has such a name. A platform admin can make one."
        data-autofocus
        required
      />
      <RoleSelect label="Role" value={role} onChange={setRole} />
    </FormDialog>
  );
}

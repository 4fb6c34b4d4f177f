import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FilterInput } from "@/parts/FilterInput";
import { membersQuery } from "./queries";

type Props = {
  label: string;
  workspace: string;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
};

/** Whoever did something, by their whole name: members can be chosen, others typed. */
export function MemberFilter({ label, workspace, value, onChange }: Props) {
  const [wanted, setWanted] = useState(false);
  const { data = [] } = useQuery({ ...membersQuery(workspace), enabled: wanted });
  return (
    <FilterInput
      aria-label={label}
      placeholder="Anybody"
      choices={data.map(({ name }) => name)}
      value={value}
      onChange={onChange}
      onFocus={() => setWanted(true)}
      w={120}
    />
  );
}

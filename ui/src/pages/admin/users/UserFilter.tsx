import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FilterInput } from "@/parts/FilterInput";
import { usersQuery } from "./queries";

type Props = { value: string | undefined; onChange: (name: string | undefined) => void };

/** Whoever did something, by their whole name: users can be chosen, those who were removed typed. */
export function UserFilter({ value, onChange }: Props) {
  const [wanted, setWanted] = useState(false);
  const { data = [] } = useQuery({ ...usersQuery, enabled: wanted });
  return (
    <FilterInput
      aria-label="Who"
      placeholder="Anybody"
      choices={data.map(({ name }) => name)}
      value={value}
      onChange={onChange}
      onFocus={() => setWanted(true)}
      w={120}
    />
  );
}

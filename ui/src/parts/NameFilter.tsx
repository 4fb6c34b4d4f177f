import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FilterInput } from "./FilterInput";

type Props<Row, Key extends QueryKey> = {
  label: string;
  placeholder: string;
  /** Those that can be chosen. */
  named: UseQueryOptions<Row[], Error, Row[], Key>;
  value: string | undefined;
  onChange: (name: string | undefined) => void;
  w: number;
};

/** By a whole name: those that are there can be chosen, and are asked for when one begins; one that was removed can be typed. */
export function NameFilter<Row extends { name: string }, Key extends QueryKey>(props: Props<Row, Key>) {
  const { label, named, ...rest } = props;
  const [wanted, setWanted] = useState(false);
  const { data = [] } = useQuery({ ...named, enabled: wanted, refetchInterval: false });
  return (
    <FilterInput
      {...rest}
      aria-label={label}
      choices={data.map(({ name }) => name)}
      onFocus={() => setWanted(true)}
    />
  );
}

import type { Parameter } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";

const COLUMNS: Column<Parameter>[] = [
  {
    id: "name",
    title: "Name",
    width: "minmax(90px, 1fr)",
    cell: ({ name }) => <span className="mono">{name}</span>,
  },
  { id: "type", title: "Type", width: "90px", cell: ({ type }) => type },
  {
    id: "default",
    title: "Default",
    width: "minmax(90px, 1fr)",
    cell: ({ default: value }) => <span className="mono">{shown(value)}</span>,
  },
  {
    id: "about",
    title: "About",
    width: "minmax(90px, 2fr)",
    wide: true,
    cell: ({ description }) => description,
  },
];

export function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <DataList
      bare
      label="Parameters"
      rows={parameters}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      empty="None."
    />
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "must be given";
  return typeof value === "string" ? value : JSON.stringify(value);
}

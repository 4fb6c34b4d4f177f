import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SavedQuery } from "@/api/types";
import { useMay } from "@/app/session";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { When } from "@/parts/When";
import { savedQueriesQuery } from "../queries";
import { SavedActions } from "./SavedActions";

/** The texts that are kept for the workspace. */
export function SavedList({ workspace }: { workspace: string }) {
  const [text, setText] = useState<string>();
  const { data, error } = useQuery(savedQueriesQuery(workspace));
  const may = useMay(workspace, "runner");
  const rows = data?.filter((saved) => holds(saved, text));
  return (
    <>
      <FilterInput label="Holds" placeholder="a name, a table, a word" value={text} onChange={setText} />
      <DataList<SavedQuery>
        label="Saved queries"
        rows={rows}
        columns={columnsOf(workspace, may)}
        rowKey={(saved) => saved.name}
        problem={error}
        empty={
          text ? (
            <EmptyState title="No saved query holds this" />
          ) : (
            <EmptyState title="Nothing is saved yet">
              {may ? "Save keeps what is in the editor for everybody in the workspace." : undefined}
            </EmptyState>
          )
        }
      />
    </>
  );
}

function holds({ name, description, sql }: SavedQuery, text: string | undefined): boolean {
  return `${name}\n${description}\n${sql}`.toLowerCase().includes((text ?? "").toLowerCase());
}

function columnsOf(workspace: string, may: boolean): Column<SavedQuery>[] {
  const first = (sql: string) => sql.replace(/\s+/g, " ").trim().slice(0, 200);
  const columns: Column<SavedQuery>[] = [
    {
      id: "name",
      title: "Name",
      width: "minmax(110px, 1fr)",
      sortBy: ({ name }) => name,
      cell: ({ name }) =>
        may ? (
          <RowLink to="/w/$workspace/sql" params={{ workspace }} search={{ query: name }}>
            {name}
          </RowLink>
        ) : (
          name
        ),
    },
    {
      id: "about",
      title: "What for",
      width: "minmax(120px, 2fr)",
      cell: ({ description, sql }) =>
        description ? (
          <span title={description}>{description}</span>
        ) : (
          <span className="mono" title={sql.slice(0, 500)}>
            {first(sql)}
          </span>
        ),
    },
    { id: "by", title: "By", width: "90px", wide: true, cell: ({ saved_by }) => saved_by },
    {
      id: "saved",
      title: "Saved",
      width: "92px",
      wide: true,
      sortBy: ({ updated_at }) => updated_at,
      cell: ({ updated_at }) => <When at={updated_at} />,
    },
  ];
  if (!may) return columns;
  const actions: Column<SavedQuery> = {
    id: "actions",
    title: "More",
    width: "44px",
    cell: (saved) => <SavedActions workspace={workspace} saved={saved} />,
  };
  return [...columns, actions];
}

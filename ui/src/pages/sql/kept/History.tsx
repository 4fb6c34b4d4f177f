import { Drawer, Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Query } from "@/api/types";
import { count } from "@/parts/amounts";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { StateBadge } from "@/parts/StateBadge";
import { duration } from "@/parts/times";
import { When } from "@/parts/When";
import { historyQuery } from "../queries";
import classes from "./Kept.module.css";

type Props = { workspace: string; opened: boolean; onClose: () => void };

/** What this user asked here. A click opens it in a tab, with its result as long as that is kept. */
export function History({ workspace, opened, onClose }: Props) {
  const [text, setText] = useState<string>();
  const found = useInfiniteQuery({ ...historyQuery(workspace, text), enabled: opened });
  const rows = found.data?.pages.flatMap((page) => page.items);
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size={760} title="What you asked">
      <Stack gap="sm">
        <FilterInput label="Holds" placeholder="a table, a column, a word" value={text} onChange={setText} />
        <DataList<Query>
          label="History"
          rows={rows}
          columns={columnsOf(workspace)}
          rowKey={(query) => query.id}
          problem={found.error}
          empty={
            text ? (
              <EmptyState title="Nothing you asked holds this" />
            ) : (
              <EmptyState title="You have asked nothing yet">What you run is listed here.</EmptyState>
            )
          }
          onEnd={() => found.hasNextPage && !found.isFetching && void found.fetchNextPage()}
        />
      </Stack>
    </Drawer>
  );
}

function columnsOf(workspace: string): Column<Query>[] {
  return [
    {
      id: "sql",
      title: "SQL",
      width: "minmax(140px, 1fr)",
      cell: ({ id, sql }) => (
        <RowLink
          to="/w/$workspace/sql"
          params={{ workspace }}
          search={{ asked: id }}
          title={sql.slice(0, 500)}
        >
          <span className={`mono ${classes.line}`}>{sql.replace(/\s+/g, " ").trim().slice(0, 160)}</span>
        </RowLink>
      ),
    },
    { id: "state", title: "State", width: "108px", cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: "engine",
      title: "Engine",
      width: "84px",
      wide: true,
      cell: ({ connection, engine }) => connection ?? engine,
    },
    {
      id: "seconds",
      title: "Took",
      width: "78px",
      align: "right",
      wide: true,
      cell: ({ seconds }) => (seconds === null ? "–" : duration(seconds * 1000)),
    },
    { id: "rows", title: "Rows", width: "70px", align: "right", wide: true, cell: ({ rows }) => count(rows) },
    { id: "asked", title: "Asked", width: "86px", cell: ({ asked_at }) => <When at={asked_at} /> },
  ];
}

import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunInFull } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { resultQuery } from "../queries";

type Row = { number: number; values: unknown[] };

export function ResultTable({ run, workspace }: { run: RunInFull; workspace: string }) {
  const result = useInfiniteQuery(resultQuery(workspace, run.id, 200));
  const first = result.data?.pages[0];
  const rows = useMemo(
    () => result.data?.pages.flatMap((page) => page.rows).map((values, number) => ({ number, values })),
    [result.data],
  );
  const columns = useMemo(() => (first?.columns ?? []).map(asColumn), [first]);
  return (
    <>
      <DataList<Row>
        label="Result"
        rows={rows}
        columns={columns}
        rowKey={(row) => String(row.number)}
        problem={result.error}
        empty={<EmptyState title="It returned no rows" />}
        onEnd={() => result.hasNextPage && !result.isFetching && void result.fetchNextPage()}
      />
      {first && (
        <Text size="sm" c="dimmed">
          {first.total.toLocaleString("en")} rows are kept{first.truncated ? "; there were more." : "."}
        </Text>
      )}
    </>
  );
}

function asColumn(column: { name: string; type: string }, index: number): Column<Row> {
  const numeric = /int|long|double|float|decimal|short|byte/i.test(column.type);
  return {
    id: `${index} ${column.name}`,
    title: column.name,
    width: "minmax(90px, 1fr)",
    align: numeric ? "right" : undefined,
    cell: (row) => <span className="mono">{shown(row.values[index])}</span>,
  };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

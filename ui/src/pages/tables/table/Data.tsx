import { Button, Group, Loader, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { ResultPage } from "@/api/types";
import { useMay } from "@/app/session";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { ProblemNote } from "@/parts/ProblemNote";
import { previewQuery } from "../preview";
import { tableRoute } from "../routes";
import { selection } from "../sql";
import { QueryLink } from "./TableActions";
import type { PartProps } from "./TablePage";

/** The first rows, as of now or of a snapshot. */
export function Data({ dataset, workspace }: PartProps) {
  const { snapshot } = tableRoute.useSearch();
  const may = useMay(workspace, "runner");
  if (!may)
    return (
      <EmptyState title="Reading rows takes the role runner">
        You are a viewer in {workspace}: you see what the table is like, not what is in it. Ask an admin of
        the workspace.
      </EmptyState>
    );
  if (dataset.catalog !== "lake")
    return (
      <EmptyState title="Its rows cannot be shown here">
        Only tables of the lakehouse's own catalog are read by its Spark.
      </EmptyState>
    );
  return <Preview name={dataset.name} workspace={workspace} snapshot={snapshot} />;
}

type PreviewProps = { name: string; workspace: string; snapshot: string | undefined };

function Preview({ name, workspace, snapshot }: PreviewProps) {
  const preview = useQuery(previewQuery(workspace, name, snapshot));
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {snapshot ? (
            <>
              As of the snapshot <span className="mono">{snapshot}</span>.{" "}
              <Link to="." search={{ tab: "data" } as never}>
                See it as it is now
              </Link>
            </>
          ) : (
            "The first 100 rows that Spark finds."
          )}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={preview.isFetching}
            onClick={() => void preview.refetch()}
          >
            Read again
          </Button>
          <QueryLink workspace={workspace} sql={selection(name, snapshot)} />
        </Group>
      </Group>
      {preview.isPending && <Reading />}
      {preview.error && !preview.data && <ProblemNote problem={preview.error} />}
      {preview.data && <Rows page={preview.data} />}
    </>
  );
}

function Reading() {
  return (
    <Group gap="sm" py={48} justify="center" aria-busy>
      <Loader size="sm" />
      <Text size="sm">Spark reads the first rows. This takes a few seconds.</Text>
    </Group>
  );
}

type Row = { number: number; values: unknown[] };

function Rows({ page }: { page: ResultPage }) {
  const rows = useMemo(() => page.rows.map((values, number) => ({ number, values })), [page]);
  const columns = useMemo(() => page.columns.map(asColumn), [page]);
  return (
    <DataList<Row>
      label="Rows"
      rows={rows}
      columns={columns}
      rowKey={(row) => String(row.number)}
      empty={<EmptyState title="It has no rows" />}
    />
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

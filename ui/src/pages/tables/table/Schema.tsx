import { Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ColumnChange, Table, TableSchema } from "@/api/types";
import { KeyValue } from "@/parts/KeyValue";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { schemasQuery } from "../queries";
import { Changes } from "./Changes";
import { ColumnList } from "./ColumnList";
import classes from "./Schema.module.css";
import type { PartProps } from "./TablePage";

export function Schema({ dataset, table, workspace }: PartProps) {
  const { data: schemas, error } = useQuery(schemasQuery(workspace, dataset.name));
  return (
    <Stack gap="md">
      <Section title="Columns" flush>
        <ColumnList columns={table?.columns} expected={dataset.columns.length} withIds bare />
      </Section>
      {table && <Layout table={table} />}
      <Section title="Evolution">
        {error && <ProblemNote problem={error} />}
        {!schemas && !error && <Skeleton height={80} />}
        {schemas && <Evolution schemas={schemas} />}
      </Section>
      {table && Object.keys(table.properties).length > 0 && (
        <Section title="Properties">
          <KeyValue entries={monospaced(table.properties)} />
        </Section>
      )}
    </Stack>
  );
}

function Layout({ table }: { table: Table }) {
  return (
    <Section title="Partitions and order">
      <KeyValue
        entries={{
          "Partitioned by": <span className="mono">{table.partitions.join(", ") || "nothing"}</span>,
          "Sorted by": (
            <span className="mono">
              {table.sort_order.map((field) => `${field.by} ${field.direction} ${field.nulls}`).join(", ") ||
                "nothing"}
            </span>
          ),
        }}
      />
    </Section>
  );
}

function Evolution({ schemas }: { schemas: TableSchema[] }) {
  return (
    <ol className={classes.versions} reversed>
      {schemas.map((schema, place) => (
        <li key={schema.id} className={classes.version}>
          <Text fw={600} size="sm">
            Schema {schema.id}
            {schema.current ? ", the current one" : ""}
          </Text>
          <What
            changes={schema.changes}
            first={place === schemas.length - 1}
            columns={schema.columns.length}
          />
        </li>
      ))}
    </ol>
  );
}

function What({ changes, first, columns }: { changes: ColumnChange[]; first: boolean; columns: number }) {
  if (first)
    return (
      <Text size="sm" c="dimmed">
        The first that is known, with {columns} {columns === 1 ? "column" : "columns"}
      </Text>
    );
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The same columns, in another order
      </Text>
    );
  return <Changes changes={changes} />;
}

function monospaced(properties: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(properties)
      .sort()
      .map(([name, value]) => [
        name,
        <span key={name} className="mono">
          {value}
        </span>,
      ]),
  );
}

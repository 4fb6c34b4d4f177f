import { Stack, Text } from "@mantine/core";
import type { Table } from "@/api/types";
import { KeyValue } from "@/parts/KeyValue";
import { Section } from "@/parts/Section";
import { ColumnList } from "./ColumnList";
import { Health } from "./Health";
import type { PartProps } from "./TablePage";

export function Overview({ dataset, table, workspace }: PartProps) {
  if (dataset.gone_at || dataset.catalog === null) {
    return (
      <Section title="Its table">
        <Text size="sm">
          {dataset.gone_at
            ? "The last sync of its catalog did not find it. What was said of it stays; if the table comes back, so does this page."
            : "No catalog is known to hold it, so there is only what people wrote of it. A sync of the catalog that has it adds the rest."}
        </Text>
        {dataset.columns.length > 0 && (
          <Text size="sm" mt="xs" c="dimmed">
            Its columns were: <span className="mono">{dataset.columns.join(", ")}</span>
          </Text>
        )}
      </Section>
    );
  }
  return (
    <Stack gap="md">
      <Health name={dataset.name} workspace={workspace} />
      <Section title="Columns" flush>
        <ColumnList columns={table?.columns} expected={dataset.columns.length} bare />
      </Section>
      {table && <Layout table={table} />}
    </Stack>
  );
}

function Layout({ table }: { table: Table }) {
  const branches = table.refs.filter((ref) => ref.type === "branch").map((ref) => ref.name);
  const tags = table.refs.filter((ref) => ref.type === "tag").map((ref) => ref.name);
  return (
    <Section title="Layout">
      <KeyValue
        entries={{
          "Partitioned by": table.partitions.join(", ") || "nothing",
          "Sorted by":
            table.sort_order.map((field) => `${field.by} ${field.direction}`).join(", ") || "nothing",
          "Delete files": table.delete_files ?? undefined,
          Schemas: table.schemas,
          Branches: branches.join(", ") || undefined,
          Tags: tags.join(", ") || undefined,
          UUID: <span className="mono">{table.uuid}</span>,
        }}
      />
    </Section>
  );
}

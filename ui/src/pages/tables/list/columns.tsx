import { Badge, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Dataset } from "@/api/types";
import { bytes, compact, count } from "@/parts/amounts";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { When } from "@/parts/When";
import classes from "./TablesPage.module.css";

// What Iceberg calls small unless a table says otherwise: an eighth of 512 MiB. Ten such files are read in no time.
const SMALL = 64 * 1024 ** 2;
const FEW = 10;

export function columns(workspace: string, namespace: string | undefined): Column<Dataset>[] {
  const within = namespace ? namespace.length + 1 : 0;
  return [
    {
      id: "name",
      title: "Table",
      width: "minmax(110px, 3fr)",
      cell: (table) => (
        <RowLink
          to="/w/$workspace/tables/$name"
          params={{ workspace, name: table.name }}
          preload={false}
          title={table.description || table.name}
        >
          {table.name.slice(within)}
        </RowLink>
      ),
    },
    {
      id: "owner",
      title: "Owner",
      width: "minmax(60px, 0.8fr)",
      wide: true,
      cell: (table) => table.owner || <span aria-hidden>–</span>,
    },
    { id: "tags", title: "Tags", width: "minmax(60px, 1fr)", wide: true, cell: tags },
    {
      id: "rows",
      title: "Rows",
      width: "58px",
      align: "right",
      wide: true,
      cell: (table) => <span title={count(table.rows)}>{compact(table.rows)}</span>,
    },
    { id: "size", title: "Size", width: "68px", align: "right", cell: (table) => bytes(table.bytes) },
    {
      id: "files",
      title: "Files",
      width: "50px",
      wide: true,
      align: "right",
      cell: (table) => <span title={count(table.files)}>{compact(table.files)}</span>,
    },
    {
      id: "fresh",
      title: "Last commit",
      width: "86px",
      cell: (table) => <When at={table.committed_at} none="–" />,
    },
    { id: "hint", title: "Notice", width: "92px", wide: true, cell: notice },
  ];
}

function tags(table: Dataset) {
  return (
    <Group gap={4} wrap="nowrap" title={table.tags.join(", ")}>
      {table.tags.slice(0, 3).map((tag) => (
        <Badge key={tag} variant="default" size="sm" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

/** What catches the eye without asking the table itself. */
function notice(table: Dataset) {
  if (table.gone_at) return <Notice text="gone" title="The last sync did not find it" />;
  if (!table.catalog && table.format === "iceberg")
    return <Notice text="no catalog" title="Nobody says which catalog it is in" />;
  if ((table.files ?? 0) >= FEW && (table.bytes ?? 0) / (table.files || 1) < SMALL)
    return (
      <Notice
        text="small files"
        title={`Its files are ${bytes((table.bytes ?? 0) / (table.files || 1))} on average`}
      />
    );
  return null;
}

function Notice({ text, title }: { text: string; title: string }) {
  return (
    <span className={classes.hint} title={title}>
      <IconAlertTriangle size={13} aria-hidden />
      {text}
    </span>
  );
}

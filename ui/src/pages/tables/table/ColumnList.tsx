import type { TableColumn } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";

type Props = { columns: TableColumn[] | undefined; expected?: number; withIds?: boolean; bare?: boolean };

/** The columns of a table, in their order. */
export function ColumnList({ columns, expected = 6, withIds, bare }: Props) {
  return (
    <DataList
      label="Columns"
      bare={bare}
      rows={columns}
      columns={withIds ? [ID, ...PLAIN] : PLAIN}
      rowKey={(column) => String(column.id)}
      expected={Math.max(1, Math.min(expected, 40))}
      empty={<EmptyState title="It has no columns" />}
    />
  );
}

const ID: Column<TableColumn> = {
  id: "id",
  title: "Id",
  width: "48px",
  align: "right",
  wide: true,
  sortBy: (column) => column.id,
  cell: (column) => column.id,
};

const PLAIN: Column<TableColumn>[] = [
  {
    id: "name",
    title: "Column",
    width: "minmax(110px, 1.2fr)",
    sortBy: (column) => column.name,
    cell: (column) => <strong>{column.name}</strong>,
  },
  {
    id: "type",
    title: "Type",
    width: "minmax(90px, 1fr)",
    sortBy: (column) => column.type,
    cell: (column) => (
      <span className="mono" title={column.type}>
        {column.type}
      </span>
    ),
  },
  {
    id: "required",
    title: "Required",
    width: "76px",
    cell: (column) => (column.required ? "required" : <span aria-hidden>–</span>),
  },
  {
    id: "doc",
    title: "About",
    width: "minmax(100px, 2fr)",
    wide: true,
    cell: (column) => column.doc && <span title={column.doc}>{column.doc}</span>,
  },
];

import type { CSSProperties } from "react";
import type { Column } from "./columns";
import classes from "./DataList.module.css";

export type RowsProps<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  tracks: string;
};

export function PlainRows<Row>({ rows, columns, rowKey, tracks }: RowsProps<Row>) {
  return (
    <div role="rowgroup">
      {rows.map((row, index) => (
        <ListRow
          key={rowKey(row)}
          row={row}
          index={index}
          columns={columns}
          style={{ gridTemplateColumns: tracks }}
        />
      ))}
    </div>
  );
}

type ListRowProps<Row> = { row: Row; index: number; columns: readonly Column<Row>[]; style: CSSProperties };

export function ListRow<Row>({ row, index, columns, style }: ListRowProps<Row>) {
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={style}>
      {columns.map((column) => (
        <div key={column.id} role="cell" className={classes.cell} data-align={column.align}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { ProblemNote } from "../ProblemNote";
import { type Column, type Sort, sorted } from "./columns";
import classes from "./DataList.module.css";
import { HeadRow } from "./HeadRow";
import { PlainRows, type RowsProps } from "./PlainRows";
import { SkeletonRows } from "./SkeletonRows";
import { VirtualRows } from "./VirtualRows";

// Fewer are drawn whole; more only where one looks.
const FEW = 60;

type Props<Row> = {
  label: string;
  /** Undefined as long as they are not known. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Shown instead of rows: why there are none, and what to do. */
  empty: ReactNode;
  problem?: unknown;
  /** Called when the end comes into sight. */
  onEnd?: () => void;
  /** Below the last row, such as that more is on its way. */
  foot?: ReactNode;
  /** How many rows are expected, so that nothing jumps when they come. */
  expected?: number;
  /** The rest of the window is its own, and it scrolls within. */
  fill?: boolean;
  /** Without a frame, where it is in one already. */
  bare?: boolean;
  /** For lists that come in pages: the order is asked of the server, and the rows stay as they came. */
  order?: { sort: Sort | undefined; onSort: (sort: Sort | undefined) => void };
};

/** Every list of the application: of ten rows or of a hundred thousand. */
export function DataList<Row>(props: Props<Row>) {
  const {
    label,
    rows,
    columns,
    rowKey,
    empty,
    problem,
    onEnd,
    foot,
    expected = 8,
    fill,
    bare,
    order,
  } = props;
  const [sort, setSort] = useState<Sort>();
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const shown = narrow ? columns.filter((column) => !column.wide) : columns;
  if (problem && !rows) return <ProblemNote problem={problem} />;
  if (rows?.length === 0) return <div className={classes.frame}>{empty}</div>;
  const ordered = rows && (order ? rows : sorted(rows, shown, sort));
  const tracks = shown.map((column) => column.width).join(" ");
  const drawn: RowsProps<Row> = { rows: ordered ?? [], columns: shown, rowKey, tracks };
  const many = (ordered?.length ?? 0) > FEW || onEnd !== undefined;
  return (
    <div
      className={classes.frame}
      data-fill={fill || undefined}
      data-bare={bare || undefined}
      role="table"
      aria-label={label}
      aria-rowcount={rows ? rows.length + 1 : -1}
      aria-busy={!rows}
    >
      <HeadRow
        columns={shown}
        tracks={tracks}
        sort={order ? order.sort : sort}
        onSort={order ? order.onSort : setSort}
      />
      {!ordered && <SkeletonRows count={expected} columns={shown.length} tracks={tracks} />}
      {ordered && (many ? <VirtualRows {...drawn} onEnd={onEnd} foot={foot} /> : <PlainRows {...drawn} />)}
    </div>
  );
}

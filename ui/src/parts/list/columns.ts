import type { ReactNode } from "react";

/** As the style sheet has it: the virtual list must know it before a row is drawn. */
export const ROW_HEIGHT = 38;

export type Column<Row> = {
  id: string;
  title: string;
  /** As CSS grid takes it: `120px`, `minmax(160px, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** What it is sorted by; without it the column cannot be. For lists that are loaded whole. */
  sortBy?: (row: Row) => string | number | null | undefined;
  /** The title is for those who hear it: there is no room for it, or it is plain to see. */
  unseen?: boolean;
  align?: "right";
  /** Not shown on narrow screens. */
  wide?: boolean;
};

export type Sort = { by: string; descending: boolean };

/** Rows in the order asked for; those without a value come last either way. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const value = columns.find((column) => column.id === sort?.by)?.sortBy;
  if (!sort || !value) return rows;
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b) return 0;
    if (a === null || a === undefined) return 1;
    if (b === null || b === undefined) return -1;
    return a < b ? -sign : sign;
  });
}

/** A click on a column: first up, then down, then as it came. */
export function turned(sort: Sort | undefined, by: string): Sort | undefined {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? undefined : { by, descending: true };
}

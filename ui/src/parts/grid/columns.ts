/** As the style sheet has them: what is drawn is decided before it is. */
export const ROW_HEIGHT = 26;
export const HEAD_HEIGHT = 30;
export const NUMBERS_WIDTH = 58;

export type GridColumn = {
  name: string;
  type: string;
  width: number;
  numeric: boolean;
  sortable: boolean;
};

export type GridSort = { by: number; descending: boolean };

const NUMERIC = /^(u?int\d*|float|double|halffloat|decimal)/;
const NESTED = /^(list|large_list|fixed_size_list|struct|map)/;
const CHARACTER = 7.6;
const AROUND = 26;
const NARROWEST = 64;
const WIDEST = 340;

/** Columns as wide as what the first rows hold, within reason. */
export function gridColumns(
  columns: readonly { name: string; type: string }[],
  rows: readonly (readonly unknown[])[],
): GridColumn[] {
  return columns.map(({ name, type }, index) => ({
    name,
    type,
    width: widthOf(
      name,
      rows.slice(0, 200).map((row) => row[index]),
    ),
    numeric: NUMERIC.test(type),
    sortable: !NESTED.test(type),
  }));
}

function widthOf(name: string, values: readonly unknown[]): number {
  // A sorted column has a sign beside its name.
  const longest = Math.max(name.length + 2, ...values.map((value) => cellText(value).length));
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest * CHARACTER + AROUND)));
}

/** A value in one line. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A click on a column: first up, then down, then as it came. */
export function turnedSort(sort: GridSort | undefined, by: number): GridSort | undefined {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? undefined : { by, descending: true };
}

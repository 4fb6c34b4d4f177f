import type { ResultPage } from "@/api/types";

export type ChartKind = "bar" | "line" | "points";
/** Columns by their number: two may have the same name. */
export type Chosen = { kind: ChartKind; x: number; ys: number[] };
type Columns = ResultPage["columns"];

const NUMERIC = /^(u?int\d*|float|double|halffloat|decimal)/;
const TIMED = /^(date|timestamp)/;

export const isNumeric = (type: string) => NUMERIC.test(type);
export const isTimed = (type: string) => TIMED.test(type);

/** What a result is most likely to show: its first text or date, and the numbers over it. */
export function guess(columns: Columns): Chosen | undefined {
  const numbers = columns.flatMap(({ type }, index) => (isNumeric(type) ? [index] : []));
  const named = columns.findIndex(({ type }) => isTimed(type) || type.endsWith("string"));
  if (numbers.length === 0) return undefined;
  if (named >= 0) {
    const timed = isTimed(columns[named]?.type ?? "");
    return { kind: timed ? "line" : "bar", x: named, ys: numbers.slice(0, timed ? 4 : 1) };
  }
  const [x = 0, ...ys] = numbers;
  return ys.length > 0 ? { kind: "line", x, ys: ys.slice(0, 4) } : { kind: "bar", x, ys: [x] };
}

export type Drawn = { x: number[]; lines: (number | null)[][]; categories?: string[]; time: boolean };

/** The columns as numbers, in the order of x. Text is counted off, and its words stand at the axis. */
export function drawn(columns: Columns, rows: readonly (readonly unknown[])[], { x, ys }: Chosen): Drawn {
  const type = columns[x]?.type ?? "";
  const time = isTimed(type);
  const lines = (of: readonly (readonly unknown[])[]) => ys.map((y) => of.map((row) => numberOf(row[y])));
  if (!time && !isNumeric(type)) {
    const categories = rows.map((row) => String(row[x] ?? "null"));
    return { x: rows.map((_, index) => index), lines: lines(rows), categories, time };
  }
  const places = rows
    .map((row) => [time ? secondsOf(row[x]) : numberOf(row[x]), row] as const)
    .filter((one): one is [number, readonly unknown[]] => one[0] !== null)
    .sort(([one], [other]) => one - other);
  return { x: places.map(([place]) => place), lines: lines(places.map(([, row]) => row)), time };
}

function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** A time without a zone is taken as UTC, as the lake keeps it. */
function secondsOf(value: unknown): number | null {
  const text = String(value);
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes("T") ? text : `${text}Z`;
  const milliseconds = Date.parse(zoned);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}

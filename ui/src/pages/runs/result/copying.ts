import type { QueryClient } from "@tanstack/react-query";
import { cellText, type GridSort } from "@/parts/grid/columns";
import type { Area } from "@/parts/grid/selection";
import { PAGE, resultPageQuery } from "./pages";

/** More is for a file: a clipboard, and whatever it is put into, would choke on it. */
export const MOST_COPIED = 50_000;

/** As spreadsheets take it: what holds a tab, a quote or the end of a line stands in quotes. */
export function tsv(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

function quoted(value: unknown): string {
  const text = plainText(value);
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As it is copied or shown whole: nothing for what has no value. */
export function plainText(value: unknown): string {
  return value === null || value === undefined ? "" : cellText(value);
}

/** The rows of an area, fetched where they are not known yet. */
export async function rowsOf(
  queries: QueryClient,
  { workspace, run, sort }: { workspace: string; run: string; sort: GridSort | undefined },
  area: Area,
): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (let page = Math.floor(area.top / PAGE); page <= Math.floor(area.bottom / PAGE); page++) {
    const found = await queries.ensureQueryData(resultPageQuery(workspace, run, sort, page));
    const [from, to] = [area.top - page * PAGE, area.bottom - page * PAGE + 1];
    rows.push(...found.rows.slice(Math.max(0, from), to));
  }
  return rows.map((row) => row.slice(area.left, area.right + 1));
}

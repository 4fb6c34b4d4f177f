import type { Run } from "@/api/types";

/** What was loaded before with what is known now, the newest first; and whether runs between the two are missing. */
export function merged(older: readonly Run[], news: readonly Run[]): { runs: Run[]; gap: boolean } {
  const known = new Map(older.map((run) => [run.id, run]));
  const first = older[0]?.id;
  const reaches = first === undefined || news.length === 0 || news.some((run) => run.id <= first);
  for (const run of news) known.set(run.id, run);
  const runs = [...known.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { runs, gap: !reaches };
}

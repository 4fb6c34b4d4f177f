import type { RunInShort } from "@/api/types";
import { isOver } from "@/parts/states";

/** How long a run took, if it is over and ever began. */
export function lengthOf(run: RunInShort): number | undefined {
  if (!run.started_at || !run.ended_at) return undefined;
  return Date.parse(run.ended_at) - Date.parse(run.started_at);
}

/** "28 of 30": of those that are over. */
export function successes(runs: readonly RunInShort[]): string {
  const over = runs.filter((run) => isOver(run.state));
  if (over.length === 0) return "–";
  return `${over.filter((run) => run.state === "succeeded").length} of ${over.length}`;
}

/** The median of those that succeeded. */
export function typicalLength(runs: readonly RunInShort[]): number | undefined {
  const lengths = runs
    .filter((run) => run.state === "succeeded")
    .flatMap((run) => lengthOf(run) ?? [])
    .sort((one, other) => one - other);
  return lengths[Math.floor(lengths.length / 2)];
}

/** How high a run's bar is, from 0 to 1, against the longest of its row. What has no length yet is low. */
export function heights(runs: readonly RunInShort[]): number[] {
  const lengths = runs.map(lengthOf);
  const longest = Math.max(1, ...lengths.map((length) => length ?? 0));
  return lengths.map((length) => (length === undefined ? 0.25 : Math.max(0.25, length / longest)));
}

import type { Rule } from "@/api/types";

export type Event = Rule["events"][number];

/** When somebody is told, in words. */
export const EVENTS: Record<Event, string> = {
  "run-failed": "a run failed or timed out, and no try is left",
  "run-recovered": "a run succeeded after the one before had failed",
  "schedule-missed": "a time of a schedule passed without a run",
  "deadline-missed": "a run was not over by its deadline",
  "stream-alert": "a streaming pipeline falls short of its aims, or a hop of it fails",
  lineage: "a run began or ended, as OpenLineage",
};

/** The kinds of connections that somebody is told by. */
export const TELLING = ["webhook", "smtp", "openlineage"];

/** What a kind of connection can be told. */
export function eventsFor(kind: string | undefined): Event[] {
  const all = Object.keys(EVENTS) as Event[];
  return all.filter((event) => (event === "lineage") === (kind === "openlineage"));
}

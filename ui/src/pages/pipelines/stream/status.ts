import type { Hop, Pipeline, Stream, StreamStatus } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import { isOver } from "@/parts/states";
import { duration } from "@/parts/times";

export type Alert = StreamStatus["alerts"][number];

/** How long figures are kept for the small lines of the page. */
export const KEPT_MS = 5 * 60_000;

const CAUGHT_UP = "caught up";

/** The rates of each hop as they came, the oldest first. */
export type History = Readonly<Record<string, readonly Point[]>>;
export type Point = { at: number; rate: number };

/** With what is told now, and without what is too long ago. */
export function withRates(history: History, status: StreamStatus): History {
  const at = Date.parse(status.at);
  return Object.fromEntries(
    status.hops.map(({ name, rate }) => {
      const before = history[name] ?? [];
      const last = before.at(-1);
      const kept = before.filter((point) => point.at > at - KEPT_MS);
      return [name, last && last.at >= at ? before : [...kept, { at, rate }]];
    }),
  );
}

export type Shown = "running" | "starting" | "stopping" | "failing" | "stopped" | "waiting" | "silent";

/** Whether it is meant to go on, by its run: one that waits for its next try is. */
export function isUnderWay(stream: Stream | null): stream is Stream {
  return stream !== null && !isOver(stream.state);
}

/** Whether a worker has it now. */
export function isAtWork(stream: Stream | null): stream is Stream {
  return isUnderWay(stream) && stream.state !== "pending";
}

/** Why its figures are not those of now, in words; nothing where they are. */
export function silence(stream: Stream | null): string | undefined {
  if (!isAtWork(stream) || stream.silent_seconds === null) return undefined;
  return `It has told nothing for ${duration(1000 * stream.silent_seconds)}: its figures are as old as that.`;
}

/** What a hop is doing, whatever was told last: of a run that is not at work nothing, and of one that is silent nobody knows. */
export function shownState(hop: Hop, stream: Stream | null): Shown {
  if (!isUnderWay(stream)) return "stopped";
  if (!isAtWork(stream)) return "waiting";
  if (silence(stream)) return "silent";
  if (stream.stop_by !== null && hop.state === "running") return "stopping";
  return hop.state;
}

/** The alerts of a hop by what they are about. */
export function broken(hop: Hop, alerts: readonly Alert[]): ReadonlySet<string> {
  return new Set(alerts.filter((alert) => alert.hop === hop.name).map((alert) => alert.what));
}

/** "1,024", "3.5": of few events the first decimal says something. */
export function rate(value: number): string {
  return value > 0 && value < 10 ? value.toFixed(1).replace(".0", "") : count(Math.round(value));
}

/** Events, with the aim, which is in events; or bytes of the source's log where nobody can count events. */
export function lag(hop: Hop, aim?: number | null): { value: string; most?: string } {
  const inBytes = (hop.lag ?? null) === null && (hop.lag_bytes ?? null) !== null;
  return inBytes
    ? { value: bytes(hop.lag_bytes) }
    : { value: count(hop.lag), most: aim ? count(aim) : undefined };
}

/** "0.8 s", "12 s", "3 min". */
export function behind(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** Whether it has taken everything there is: then the age of the newest event is not how far it is behind. */
export function caughtUp(hop: Hop): boolean {
  return (hop.lag ?? hop.lag_bytes) === 0;
}

/** How far a hop is behind, with the aim where that says something. */
export function delay(hop: Hop, aim: number | null | undefined): { value: string; most?: string } {
  if (caughtUp(hop)) return { value: CAUGHT_UP };
  return { value: behind(hop.freshness), most: aim ? behind(aim) : undefined };
}

/** What a list says of a stream in a line: what comes in, and how far the last of its hops is behind. */
export function inShort({ stream }: Pipeline) {
  const status = isAtWork(stream) ? stream.status : null;
  const hops = status?.hops ?? [];
  const silent = silence(stream);
  return {
    status,
    rate: silent ? undefined : hops[0]?.rate,
    lag: most(hops.map((hop) => hop.lag)),
    behind: furthest(hops),
    /** With it, what is known is old. */
    silent,
    alerts: silent ? [silent] : (status?.alerts ?? []).map((alert) => alert.text),
  };
}

/** Nobody knows how far it is behind before something has come over each hop that has something to take. */
function furthest(hops: readonly Hop[]): string {
  if (hops.length > 0 && hops.every(caughtUp)) return CAUGHT_UP;
  const late = hops.filter((hop) => !caughtUp(hop));
  const unknown = late.some((hop) => (hop.lag ?? 0) > 0 && (hop.freshness ?? null) === null);
  return behind(unknown ? undefined : most(late.map((hop) => hop.freshness)));
}

function most(values: readonly (number | null | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

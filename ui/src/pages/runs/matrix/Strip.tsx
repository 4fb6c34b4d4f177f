import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import type { JobsRuns, RunInShort, State } from "@/api/types";
import { duration } from "@/parts/times";
import { COLUMNS } from "../queries";
import { heights, lengthOf } from "./figures";
import classes from "./RunMatrix.module.css";

type Props = { row: JobsRuns; workspace: string; vivid: readonly State[] };

/** A job's last runs, the newest at the right. One of them is in the way of Tab, the arrows lead to the others. */
export function Strip({ row: { job, runs }, workspace, vivid }: Props) {
  const shown = [...runs].reverse();
  const high = heights(shown);
  if (shown.length === 0) return <span className={classes.none}>never ran</span>;
  return (
    <div className={classes.strip} role="group" aria-label={`Last runs of ${job}`} onKeyDown={onKey}>
      <span style={{ flex: COLUMNS - shown.length }} />
      {shown.map((run, place) => (
        <Link
          key={run.id}
          to="/w/$workspace/runs/$run"
          params={{ workspace, run: run.id }}
          preload={false}
          className={classes.run}
          data-state={run.state}
          data-pale={(vivid.length > 0 && !vivid.includes(run.state)) || undefined}
          data-tip={tipOf(run)}
          aria-label={`${job}: ${tipOf(run)}`}
          tabIndex={place === shown.length - 1 ? 0 : -1}
        >
          <span className={classes.bar} style={{ height: `${100 * (high[place] ?? 0)}%` }} />
        </Link>
      ))}
    </div>
  );
}

/** What the bar does not say: in one line, for eyes and ears. */
function tipOf(run: RunInShort): string {
  const length = lengthOf(run);
  const at = new Date(run.created_at).toLocaleString("en-CA", {
    dateStyle: "short",
    timeStyle: "short",
    hour12: false,
  });
  const took = length === undefined ? "" : `, took ${duration(length)}`;
  const error = run.error ? `: ${run.error.split("\n")[0]?.slice(0, 120)}` : "";
  return `${run.state}, ${at}${took}${error}`;
}

function onKey(event: KeyboardEvent<HTMLElement>): void {
  const move = MOVES[event.key];
  const link = (event.target as HTMLElement).closest("a");
  const next = link && move?.(link);
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

const MOVES: Record<string, (link: Element) => Element | null | undefined> = {
  ArrowLeft: (link) => link.previousElementSibling,
  ArrowRight: (link) => link.nextElementSibling,
  Home: (link) => link.parentElement?.querySelector("a"),
  End: (link) => link.parentElement?.querySelector("a:last-child"),
  ArrowUp: (link) => inRow(link, link.closest("[role=row]")?.previousElementSibling),
  ArrowDown: (link) => inRow(link, link.closest("[role=row]")?.nextElementSibling),
};

/** The run at the same place, counted from the newest, of another job. */
function inRow(link: Element, row: Element | null | undefined): Element | null | undefined {
  const place = [...(link.parentElement?.querySelectorAll("a") ?? [])]
    .reverse()
    .indexOf(link as HTMLAnchorElement);
  const others = [...(row?.querySelectorAll("[role=group] a") ?? [])].reverse();
  return others[Math.min(place, others.length - 1)];
}

import { Link } from "@tanstack/react-router";
import type { RunInFull } from "@/api/types";
import { isOver } from "@/parts/states";
import { When } from "@/parts/When";
import classes from "./RunFailure.module.css";

/** What went wrong comes before everything else. */
export function RunFailure({ run }: { run: RunInFull }) {
  if (!run.error) return null;
  const waits = !isOver(run.state);
  return (
    <div role="alert" className={classes.failure} data-waits={waits || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, and must be reached by the keyboard. */}
      <pre className={classes.text} tabIndex={0}>
        {run.error}
      </pre>
      <div className={classes.next}>
        {waits ? (
          <span>
            It is tried again <When at={run.available_at} />.
          </span>
        ) : (
          <Link to="." search={(before) => ({ ...before, tab: "log" as const })}>
            See the log
          </Link>
        )}
      </div>
    </div>
  );
}

import type { Attempt, RunInFull } from "@/api/types";
import { StateBadge } from "@/parts/StateBadge";
import { Duration, When } from "@/parts/When";
import classes from "./Attempts.module.css";
import { sparkWork } from "./bars";

const ROWS: readonly [string, (attempt: Attempt) => React.ReactNode][] = [
  ["State", (attempt) => <StateBadge state={attempt.state} />],
  ["Worker", (attempt) => <span className="mono">{attempt.worker}</span>],
  ["Taken", (attempt) => <When at={attempt.claimed_at} />],
  ["Ran", (attempt) => <Duration from={attempt.started_at} to={attempt.ended_at} />],
  ["Spark", (attempt) => sparkWork(attempt.progress) ?? "–"],
  ["Error", (attempt) => (attempt.error ? <span className={classes.error}>{attempt.error}</span> : "–")],
];

/** Each attempt a column, so that what differs stands beside each other. */
export function Attempts({ run }: { run: RunInFull }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div className={classes.scroller} tabIndex={0} role="region" aria-label="Attempts">
      <table className={classes.table}>
        <thead>
          <tr>
            <td />
            {run.attempts.map((attempt) => (
              <th key={attempt.number} scope="col">
                Attempt {attempt.number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([name, cell]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {run.attempts.map((attempt) => (
                <td key={attempt.number}>{cell(attempt)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

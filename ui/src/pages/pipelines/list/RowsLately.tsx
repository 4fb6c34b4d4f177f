import type { Figures } from "@/api/types";
import { count, thatMoved } from "../figures";
import classes from "./RowsLately.module.css";

const MOST = 12;

/** Rows written and rejected by the last loads, a bar each, the newest at the right. */
export function RowsLately({ runs }: { runs: readonly Figures[] }) {
  const shown = thatMoved(runs).slice(-MOST);
  const most = Math.max(1, ...shown.map(({ report }) => report.rows_in));
  const told = shown
    .map(({ report }) => `${count(report.rows_written)} written, ${count(report.rows_quarantined)} rejected`)
    .join("; ");
  return (
    <span className={classes.bars} role="img" aria-label={told || "no rows lately"} title={told}>
      {shown.map(({ run, report }) => (
        <span key={run.run_id} className={classes.bar}>
          <span className={classes.rejected} style={{ height: height(report.rows_quarantined, most) }} />
          <span className={classes.written} style={{ height: height(report.rows_written, most) }} />
        </span>
      ))}
    </span>
  );
}

/** Whatever there is any of is seen. */
function height(part: number, whole: number): string {
  return part === 0 ? "0" : `max(2px, ${(100 * part) / whole}%)`;
}

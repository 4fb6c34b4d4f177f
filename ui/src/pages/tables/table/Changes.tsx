import type { ColumnChange } from "@/api/types";
import classes from "./Schema.module.css";

/** What became of columns: added, removed, renamed, widened or changed otherwise. */
export function Changes({ changes }: { changes: readonly ColumnChange[] }) {
  return (
    <ul className={classes.changes}>
      {changes.map((change) => (
        <li key={`${change.what} ${change.column}`}>
          <span className={classes.what} data-what={change.what}>
            {change.what}
          </span>
          <span className="mono">{told(change)}</span>
        </li>
      ))}
    </ul>
  );
}

function told({ what, column, before, after }: ColumnChange): string {
  if (what === "added") return `${column} ${after}`;
  if (what === "removed") return `${column} ${before}`;
  return `${before} → ${after}`;
}

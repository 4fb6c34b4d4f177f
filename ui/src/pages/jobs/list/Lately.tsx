import type { Run } from "@/api/types";
import classes from "./Lately.module.css";

const MOST = 8;

/** How the last runs went, the newest at the right. */
export function Lately({ runs }: { runs: readonly Run[] }) {
  const shown = runs.slice(0, MOST).reverse();
  const told = shown.map((run) => run.state).join(", ");
  return (
    <span className={classes.lately} role="img" aria-label={told || "no runs lately"} title={told}>
      {shown.map((run) => (
        <span key={run.id} className={classes.run} data-state={run.state} />
      ))}
    </span>
  );
}

import type { RejectsCounted } from "@/api/types";
import { count } from "../figures";
import { useSearch } from "./changes";
import classes from "./Rejects.module.css";

type Props = {
  workspace: string;
  job: string;
  counts: RejectsCounted | undefined;
  chosen: string | undefined;
};

/** How many there are for each reason; one can be chosen. */
export function Reasons({ workspace, job, counts, chosen }: Props) {
  const goTo = useSearch(workspace, job);
  if (!counts?.reasons.length) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div className={classes.reasons} role="group" aria-label="Reasons" tabIndex={0}>
      {counts.reasons.map(({ value, rows }) => (
        <button
          key={value}
          type="button"
          className={classes.reason}
          aria-pressed={value === chosen}
          title={value}
          onClick={() => void goTo({ reason: value === chosen ? undefined : value })}
        >
          <span className={classes.words}>{value}</span>
          <span className={classes.rows}>{count(rows)}</span>
        </button>
      ))}
    </div>
  );
}

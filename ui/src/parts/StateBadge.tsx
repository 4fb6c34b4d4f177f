import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconClock,
  IconClockX,
  IconLoader2,
} from "@tabler/icons-react";
import type { State } from "@/api/types";
import classes from "./StateBadge.module.css";

const ICONS: Record<State, Icon> = {
  pending: IconClock,
  starting: IconLoader2,
  running: IconLoader2,
  succeeded: IconCheck,
  failed: IconAlertTriangle,
  cancelled: IconBan,
  "timed-out": IconClockX,
};

/** A state by its word, its sign and its colour: whoever does not see one of them has the others. */
export function StateBadge({ state }: { state: State }) {
  const Sign = ICONS[state];
  return (
    <span className={classes.badge} data-state={state}>
      <Sign size={13} stroke={2.2} aria-hidden className={classes.sign} />
      {state}
    </span>
  );
}

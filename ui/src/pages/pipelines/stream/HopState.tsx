import {
  type Icon,
  IconAlertTriangle,
  IconClock,
  IconLoader2,
  IconPlayerPause,
  IconPlayerStop,
} from "@tabler/icons-react";
import badge from "@/parts/StateBadge.module.css";
import type { Shown } from "./status";

const LOOKS: Record<Shown, { sign: Icon; as: string }> = {
  running: { sign: IconLoader2, as: "running" },
  starting: { sign: IconLoader2, as: "starting" },
  stopping: { sign: IconPlayerPause, as: "cancelled" },
  failing: { sign: IconAlertTriangle, as: "failed" },
  silent: { sign: IconAlertTriangle, as: "failed" },
  waiting: { sign: IconClock, as: "pending" },
  stopped: { sign: IconPlayerStop, as: "pending" },
};

/** As the state of a run is shown: by its word, its sign and its colour. */
export function HopState({ state }: { state: Shown }) {
  const { sign: Sign, as } = LOOKS[state];
  return (
    <span className={badge.badge} data-state={as}>
      <Sign size={13} stroke={2.2} aria-hidden className={badge.sign} />
      {state}
    </span>
  );
}

import { IconAlertTriangle } from "@tabler/icons-react";
import { Duration } from "@/parts/When";
import classes from "./Stream.module.css";
import type { Alert } from "./status";

/** What falls short of what was promised, in words. Who hears the page is told of it too. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <div role="status" aria-label="Alerts">
      {alerts.length > 0 && (
        <ul className={classes.alerts}>
          {alerts.map((alert) => (
            <li key={`${alert.hop} ${alert.what}`}>
              <IconAlertTriangle size={15} aria-hidden />
              <span>{alert.text}</span>
              <span className={classes.since}>
                for <Duration from={alert.since} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

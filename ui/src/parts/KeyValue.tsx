import type { ReactNode } from "react";
import classes from "./KeyValue.module.css";

/** Names and what they stand for. What is undefined is left out. */
export function KeyValue({ entries }: { entries: Record<string, ReactNode | undefined> }) {
  return (
    <dl className={classes.list}>
      {Object.entries(entries)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

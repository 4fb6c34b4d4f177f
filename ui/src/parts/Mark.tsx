import type { ReactNode } from "react";
import classes from "./Mark.module.css";

export type Tone = "good" | "bad" | "warning" | "plain";

/** A word about something's state, with its colour; the word says it alone too. */
export function Mark({
  tone = "plain",
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={classes.mark} data-tone={tone} title={title}>
      {children}
    </span>
  );
}

import { Group, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Section.module.css";

type Props = { title: string; actions?: ReactNode; children: ReactNode; flush?: boolean };

/** A part of a page under a heading of its own. */
export function Section({ title, actions, children, flush }: Props) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={classes.section}>
      <Group justify="space-between" className={classes.head}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {actions}
      </Group>
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}

import { Group, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import classes from "./Page.module.css";

type Props = {
  title: string;
  /** Beside the title, such as a state. */
  beside?: ReactNode;
  /** One line below it. */
  about?: ReactNode;
  actions?: ReactNode;
  /** Whether the page ends with the window, and what is marked by `data-fill` in it scrolls by itself. */
  whole?: boolean;
  children: ReactNode;
};

/** Every page begins with it: title, what it is about, and what can be done. */
export function Page({ title, beside, about, actions, whole, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Boathouse`;
  }, [title]);
  return (
    <div className={classes.page} data-whole={whole || undefined}>
      <header className={classes.header}>
        <div className={classes.titles}>
          <Group gap="sm" wrap="wrap">
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {beside}
          </Group>
          {about && <div className={classes.about}>{about}</div>}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </div>
  );
}

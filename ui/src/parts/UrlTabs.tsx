import { Link, type LinkProps } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { centre } from "./centre";
import classes from "./UrlTabs.module.css";

export type Tab = { value: string; label: string; count?: number };

type Props = { label: string; tabs: readonly Tab[]; current: string };

/** Tabs that live in the address as `?tab=`, so that a link leads to what was seen. */
export function UrlTabs({ label, tabs, current }: Props) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which of them is current is read from the page.
  useEffect(() => {
    const shown = nav.current?.querySelector<HTMLElement>("[data-current]");
    if (nav.current && shown) centre(nav.current, shown.offsetLeft, shown.offsetWidth);
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.value}
          to="."
          search={((before: object) => ({ ...before, tab: tab.value })) as LinkProps["search"]}
          hash=""
          replace
          resetScroll={false}
          className={classes.tab}
          aria-current={tab.value === current ? "page" : undefined}
          data-current={tab.value === current || undefined}
          activeProps={{}}
        >
          {tab.label}
          {tab.count !== undefined && <span className={classes.count}>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}

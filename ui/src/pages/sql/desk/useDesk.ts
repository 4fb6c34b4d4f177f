import { useDebouncedCallback } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { remember, remembered } from "@/app/remembered";
import { useMe } from "@/app/session";
import {
  currentTab,
  type Desk,
  LOWEST,
  newTab,
  readDesk,
  type Tab,
  withChange,
  withoutTab,
  withTab,
} from "./desk";

// Longer than between two keys.
const PAUSE = 300;

/** The desk of this user in this workspace. It is found again after a reload; nobody else at this browser gets it. */
export function useDesk(workspace: string) {
  const key = `sql-${useMe().name}-${workspace}`;
  const [desk, setDesk] = useState(() => readDesk(remembered(key)));
  useRemembering(key, desk);
  const ways = useMemo(
    () => ({
      open: (tab: Tab) => setDesk((before) => withTab(before, tab)),
      add: () => setDesk((before) => addedTo(before)),
      show: (id: string) => setDesk((before) => ({ ...before, current: id })),
      close: (id: string) => setDesk((before) => withoutTab(before, id)),
      change: (id: string, part: Partial<Tab>) => setDesk((before) => withChange(before, id, part)),
      resize: (height: number) => setDesk((before) => ({ ...before, height: Math.max(LOWEST, height) })),
    }),
    [],
  );
  return { desk, tab: currentTab(desk), ...ways };
}

function addedTo(desk: Desk): Desk {
  const { connection, rows } = currentTab(desk);
  const tab = newTab({ connection, rows });
  return { ...desk, tabs: [...desk.tabs, tab], current: tab.id };
}

function useRemembering(key: string, desk: Desk): void {
  const latest = useRef(desk);
  latest.current = desk;
  const write = useCallback(() => remember(key, JSON.stringify(latest.current)), [key]);
  const soon = useDebouncedCallback(write, PAUSE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is written whenever the desk changes.
  useEffect(soon, [desk]);
  useEffect(() => {
    window.addEventListener("pagehide", write);
    return () => {
      window.removeEventListener("pagehide", write);
      write();
    };
  }, [write]);
}

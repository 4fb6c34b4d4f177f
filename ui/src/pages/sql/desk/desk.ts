import type { Parameter, Query, SavedQuery } from "@/api/types";
import type { TypeOf } from "../editor/parameters";

/** What was asked from a tab: its query, its run, of whom, and on which line of the tab the text began. */
export type Asked = { query: string; run: string; engine: string; line: number };

export type Tab = {
  id: string;
  sql: string;
  /** The name under which it is saved. */
  saved?: string;
  /** The connection it is asked through; without one it is the lake's Spark. */
  connection?: string;
  rows: number;
  types: TypeOf;
  values: Record<string, string>;
  asked?: Asked;
};

/** What lies before somebody in a workspace: their texts, which of them they look at, and how much of the page it takes. */
export type Desk = { tabs: Tab[]; current: string; height: number };

export const ROWS = [100, 1_000, 10_000, 100_000] as const;
const HEIGHT = 240;
export const LOWEST = 90;

export function newTab(part: Partial<Tab> = {}): Tab {
  return { id: crypto.randomUUID(), sql: "", rows: 10_000, types: {}, values: {}, ...part };
}

export function newDesk(): Desk {
  const tab = newTab();
  return { tabs: [tab], current: tab.id, height: HEIGHT };
}

export function currentTab(desk: Desk): Tab {
  return desk.tabs.find((tab) => tab.id === desk.current) ?? (desk.tabs[0] as Tab);
}

/** Opens a tab: one that is there already if it is the same, and in place of one that is still empty. */
export function withTab(desk: Desk, tab: Tab): Desk {
  const same = desk.tabs.find((one) => isSame(one, tab));
  if (same) return { ...desk, current: same.id };
  const looked = currentTab(desk);
  const isEmpty = looked.sql.trim() === "" && !looked.asked;
  const tabs = isEmpty ? desk.tabs.map((one) => (one.id === looked.id ? tab : one)) : [...desk.tabs, tab];
  return { ...desk, tabs, current: tab.id };
}

function isSame(one: Tab, other: Tab): boolean {
  if (other.saved) return one.saved === other.saved;
  if (other.asked) return one.asked?.query === other.asked.query;
  return other.sql !== "" && one.sql === other.sql;
}

export function withoutTab(desk: Desk, id: string): Desk {
  const place = desk.tabs.findIndex((tab) => tab.id === id);
  const tabs = desk.tabs.filter((tab) => tab.id !== id);
  if (tabs.length === 0) return { ...newDesk(), height: desk.height };
  const next = tabs[Math.min(place, tabs.length - 1)] as Tab;
  return { ...desk, tabs, current: desk.current === id ? next.id : desk.current };
}

export function withChange(desk: Desk, id: string, part: Partial<Tab>): Desk {
  return { ...desk, tabs: desk.tabs.map((tab) => (tab.id === id ? { ...tab, ...part } : tab)) };
}

export function titleOf(tab: Tab): string {
  if (tab.saved) return tab.saved;
  const line = tab.sql.trim().split("\n")[0]?.trim() ?? "";
  return line.length > 26 ? `${line.slice(0, 25)}…` : line || "New query";
}

export function tabOfSaved(saved: SavedQuery): Tab {
  return newTab({
    sql: saved.sql,
    saved: saved.name,
    connection: saved.connection ?? undefined,
    ...parametersOf(saved.parameters ?? [], {}),
  });
}

export function tabOfQuery(query: Query): Tab {
  return newTab({
    sql: query.sql,
    connection: query.connection ?? undefined,
    asked: askedAs(query, 1),
    ...parametersOf(query.parameters, query.values),
  });
}

export function askedAs(query: Query, line: number): Asked {
  const engine = query.connection ? `Trino: ${query.connection}` : "Spark";
  return { query: query.id, run: query.run_id, engine, line };
}

function parametersOf(parameters: readonly Parameter[], given: Record<string, unknown>) {
  const known = parameters.map(({ name, default: fallback }) => [name, given[name] ?? fallback] as const);
  return {
    types: Object.fromEntries(parameters.map(({ name, type }) => [name, type])),
    values: Object.fromEntries(
      known
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    ),
  };
}

/** What was remembered, if it is a desk; whatever else is there is no reason not to work. */
export function readDesk(text: string | null): Desk {
  try {
    const desk = JSON.parse(text ?? "") as Desk;
    const tabs = desk.tabs.filter((tab) => typeof tab.id === "string" && typeof tab.sql === "string");
    if (tabs.length === 0) return newDesk();
    return {
      tabs: tabs.map((tab) => newTab(tab)),
      current: String(desk.current),
      height: typeof desk.height === "number" ? Math.max(LOWEST, desk.height) : HEIGHT,
    };
  } catch {
    return newDesk();
  }
}

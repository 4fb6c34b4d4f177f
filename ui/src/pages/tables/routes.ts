import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { oneOf, text } from "@/app/search";

export const tablesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/tables",
  staticData: { crumb: () => "Tables" },
});

export type TablesSearch = { namespace?: string; text?: string; tag?: string };

export const tablesIndexRoute = createRoute({
  getParentRoute: () => tablesRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): TablesSearch => ({
    namespace: text(search.namespace),
    text: text(search.text),
    tag: text(search.tag),
  }),
  component: lazyRouteComponent(() => import("./list/TablesPage"), "TablesPage"),
});

export const TABLE_TABS = [
  "overview",
  "schema",
  "data",
  "snapshots",
  "files",
  "partitions",
  "lineage",
  "grants",
] as const;
export type TableTab = (typeof TABLE_TABS)[number];

export type TableSearch = {
  tab?: TableTab;
  /** As of which snapshot its rows and files are shown. */
  snapshot?: string;
  /** Two snapshots that are compared. */
  before?: string;
  after?: string;
  /** Which files or partitions. */
  text?: string;
  partition?: string;
  small?: boolean;
  order?: string;
};

// A number of so many digits would be another one once JavaScript has read it.
const snapshotId = (value: unknown) =>
  typeof value === "string" && /^\d{1,19}$/.test(value)
    ? value
    : Number.isSafeInteger(value)
      ? String(value)
      : undefined;

export const tableRoute = createRoute({
  getParentRoute: () => tablesRoute,
  path: "/$name",
  staticData: { crumb: ({ name }) => name ?? "" },
  validateSearch: (search: Record<string, unknown>): TableSearch => ({
    tab: oneOf(TABLE_TABS, search.tab),
    snapshot: snapshotId(search.snapshot),
    before: snapshotId(search.before),
    after: snapshotId(search.after),
    text: text(search.text),
    partition: typeof search.partition === "string" ? search.partition : undefined,
    small: search.small === true || undefined,
    order: text(search.order),
  }),
  component: lazyRouteComponent(() => import("./table/TablePage"), "TablePage"),
});

export const tablesRoutes = [tablesRoute.addChildren([tablesIndexRoute, tableRoute])] as const;

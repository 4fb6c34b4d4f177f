import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { oneOf, text } from "@/app/search";

export const PANELS = ["history", "saved"] as const;
export const VIEWS = ["rows", "chart"] as const;
export type Panel = (typeof PANELS)[number];
export type View = (typeof VIEWS)[number];

// Browsers and proxies agree on addresses of up to so many characters; a longer text would be cut off in the middle.
const LONGEST = 6_000;

/**
 * Other pages open a query here by a link to `/w/$workspace/sql`:
 * - `sql`: this text, in a tab of its own. It is not run: who follows a link decides that.
 * - `table`: the first rows of this table, such as `sales.orders`.
 * - `query`: the saved query of this name.
 * - `asked`: a query of the user's own history, by its id, with its result.
 * What was opened is taken out of the address; `panel` and `view` stay in it.
 */
export type SqlSearch = {
  sql?: string;
  table?: string;
  query?: string;
  asked?: string;
  panel?: Panel;
  view?: View;
};

export const sqlRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/sql",
  staticData: { crumb: () => "SQL" },
  validateSearch: (search: Record<string, unknown>): SqlSearch => ({
    sql: text(search.sql)?.slice(0, LONGEST),
    table: text(search.table)?.slice(0, 300),
    query: text(search.query)?.slice(0, 60),
    asked: text(search.asked)?.slice(0, 60),
    panel: oneOf(PANELS, search.panel),
    view: oneOf(VIEWS, search.view),
  }),
  component: lazyRouteComponent(() => import("./SqlPage"), "SqlPage"),
});

export const sqlRoutes = [sqlRoute] as const;

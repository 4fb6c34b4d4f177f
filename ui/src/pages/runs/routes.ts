import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { oneOf, someOf, text } from "@/app/search";
import { STATES } from "@/parts/states";
import { SPANS } from "./queries";

export const VIEWS = ["matrix"] as const;
export type RunsSearch = {
  /** The list, if it is not said. */
  as?: (typeof VIEWS)[number];
  state?: string;
  job?: string;
  by?: string;
  within?: string;
};

export const runsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/runs",
  staticData: { crumb: () => "Runs" },
});

export const runsIndexRoute = createRoute({
  getParentRoute: () => runsRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): RunsSearch => ({
    as: oneOf(VIEWS, search.as),
    state: someOf(STATES, search.state).join(",") || undefined,
    job: text(search.job),
    by: text(search.by),
    within: oneOf(SPANS, search.within),
  }),
  component: lazyRouteComponent(() => import("./list/RunsPage"), "RunsPage"),
});

export const RUN_TABS = ["overview", "log", "result"] as const;
export type RunTab = (typeof RUN_TABS)[number];
export type RunSearch = { tab?: RunTab; attempt?: number };

export const runRoute = createRoute({
  getParentRoute: () => runsRoute,
  path: "/$run",
  staticData: { crumb: ({ run }) => run?.slice(-8) ?? "" },
  validateSearch: (search: Record<string, unknown>): RunSearch => ({
    tab: oneOf(RUN_TABS, search.tab),
    attempt: typeof search.attempt === "number" && search.attempt > 0 ? search.attempt : undefined,
  }),
  component: lazyRouteComponent(() => import("./run/RunPage"), "RunPage"),
});

export const runsRoutes = [runsRoute.addChildren([runsIndexRoute, runRoute])] as const;

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { oneOf, text } from "@/app/search";

export const jobsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/jobs",
  staticData: { crumb: () => "Jobs" },
});

export const jobsIndexRoute = createRoute({
  getParentRoute: () => jobsRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): { name?: string } => ({ name: text(search.name) }),
  component: lazyRouteComponent(() => import("./list/JobsPage"), "JobsPage"),
});

export const EDITOR_TABS = ["form", "yaml", "changes"] as const;
export type EditorSearch = { tab?: (typeof EDITOR_TABS)[number] };

const editorSearch = (search: Record<string, unknown>): EditorSearch => ({
  tab: oneOf(EDITOR_TABS, search.tab),
});

// No job can have the name of this page: names are two letters or more, with none of these signs in front.
export const newJobRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/new-job",
  staticData: { crumb: () => "New job", under: { label: "Jobs", to: "/w/$workspace/jobs" } },
  validateSearch: (search: Record<string, unknown>): EditorSearch & { kind?: string } => ({
    ...editorSearch(search),
    kind: text(search.kind),
  }),
  component: lazyRouteComponent(() => import("./editor/NewJobPage"), "NewJobPage"),
});

export const JOB_TABS = ["overview", "runs", "definition", "versions"] as const;
export type JobSearch = { tab?: (typeof JOB_TABS)[number]; from?: number; to?: number };

const positive = (value: unknown) => (typeof value === "number" && value > 0 ? value : undefined);

export const jobRoute = createRoute({
  getParentRoute: () => jobsRoute,
  path: "/$job",
  staticData: { crumb: ({ job }) => job ?? "" },
});

export const jobIndexRoute = createRoute({
  getParentRoute: () => jobRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): JobSearch => ({
    tab: oneOf(JOB_TABS, search.tab),
    from: positive(search.from),
    to: positive(search.to),
  }),
  component: lazyRouteComponent(() => import("./job/JobPage"), "JobPage"),
});

export const editJobRoute = createRoute({
  getParentRoute: () => jobRoute,
  path: "/edit",
  staticData: { crumb: () => "Edit" },
  validateSearch: editorSearch,
  component: lazyRouteComponent(() => import("./editor/EditJobPage"), "EditJobPage"),
});

export const jobsRoutes = [
  jobsRoute.addChildren([jobsIndexRoute, jobRoute.addChildren([jobIndexRoute, editJobRoute])]),
  newJobRoute,
] as const;

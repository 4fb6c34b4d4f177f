import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { oneOf, text } from "@/app/search";

export const pipelinesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/pipelines",
  staticData: { crumb: () => "Pipelines" },
});

export const LIST_TABS = ["files", "streams"] as const;
export type ListTab = (typeof LIST_TABS)[number];

export const pipelinesIndexRoute = createRoute({
  getParentRoute: () => pipelinesRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): { name?: string; tab?: ListTab } => ({
    name: text(search.name),
    tab: oneOf(LIST_TABS, search.tab),
  }),
  component: lazyRouteComponent(() => import("./list/PipelinesPage"), "PipelinesPage"),
});

export const REJECT_STATES = ["open", "replayed", "discarded"] as const;
export type RejectState = (typeof REJECT_STATES)[number];

export type PipelineSearch = {
  /** One of the parts that its kind has. */
  tab?: string;
  state?: RejectState;
  reason?: string;
  load?: string;
  file?: string;
  /** The reject that is looked at. */
  row?: string;
  /** The run that replays some of them. */
  replay?: string;
};

export const pipelineRoute = createRoute({
  getParentRoute: () => pipelinesRoute,
  path: "/$job",
  staticData: { crumb: ({ job }) => job ?? "" },
  validateSearch: (search: Record<string, unknown>): PipelineSearch => ({
    tab: text(search.tab),
    state: oneOf(REJECT_STATES, search.state),
    reason: text(search.reason),
    load: text(search.load),
    file: text(search.file),
    row: text(search.row),
    replay: text(search.replay),
  }),
  component: lazyRouteComponent(() => import("./pipeline/PipelinePage"), "PipelinePage"),
});

export const pipelinesRoutes = [pipelinesRoute.addChildren([pipelinesIndexRoute, pipelineRoute])] as const;

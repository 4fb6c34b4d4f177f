import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "@/pages/account/routes";
import { adminRoutes } from "@/pages/admin/routes";
import { connectionsRoutes } from "@/pages/connections/routes";
import { homeRoutes } from "@/pages/home/routes";
import { jobsRoutes } from "@/pages/jobs/routes";
import { loginRoutes } from "@/pages/login/routes";
import { pipelinesRoutes } from "@/pages/pipelines/routes";
import { runsRoutes } from "@/pages/runs/routes";
import { sqlRoutes } from "@/pages/sql/routes";
import { tablesRoutes } from "@/pages/tables/routes";
import { workspaceRoutes } from "@/pages/workspace/routes";
import { NotFound } from "@/shell/NotFound";
import { PageError } from "@/shell/PageError";
import { rootRoute, shellRoute, startRoute, workspaceRoute } from "./routes";

// A page area adds its routes to one of these lists, and its entry to shell/places.ts.
const inWorkspace = workspaceRoute.addChildren([
  ...homeRoutes,
  ...runsRoutes,
  ...jobsRoutes,
  ...sqlRoutes,
  ...tablesRoutes,
  ...pipelinesRoutes,
  ...connectionsRoutes,
  ...workspaceRoutes,
]);
const inShell = shellRoute.addChildren([startRoute, inWorkspace, ...adminRoutes, ...accountRoutes]);
const routeTree = rootRoute.addChildren([...loginRoutes, inShell]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

import { createRootRoute, createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { Problem } from "@/api/problem";
import type { User } from "@/api/types";
import { Loading } from "@/shell/Loading";
import { NotFound } from "@/shell/NotFound";
import { PageError } from "@/shell/PageError";
import { Root } from "@/shell/Root";
import { connection } from "./connection";
import { queryClient } from "./queries";
import { remember, remembered } from "./remembered";
import { meQuery, workspacesQuery } from "./session";

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <main>
      <NotFound />
    </main>
  ),
  errorComponent: (props) => (
    <main>
      <PageError {...props} />
    </main>
  ),
});

/** Everything that takes a login. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ location }) => {
    let me: User;
    try {
      me = await queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!Problem.of(error).isLoggedOut) throw error;
      // Nobody was logged in: that is no session that ended.
      connection.answered();
      throw redirect({ to: "/login", search: { next: location.href } });
    }
    // Nothing else is answered before a password that somebody else made is changed.
    if (me.must_change_password && location.pathname !== "/account")
      throw redirect({ to: "/account", search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import("@/shell/Shell"), "Shell"),
  // Sooner than one wonders whether anything happens.
  pendingMs: 300,
  pendingComponent: Loading,
  notFoundComponent: NotFound,
  errorComponent: (props) => (
    <main>
      <PageError {...props} />
    </main>
  ),
});

/** `/` leads to the workspace that was looked at last. */
export const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  loader: async () => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery);
    const last = remembered("workspace");
    const workspace = workspaces.find((one) => one.name === last) ?? workspaces[0];
    if (workspace)
      throw redirect({ to: "/w/$workspace", params: { workspace: workspace.name }, replace: true });
  },
  component: lazyRouteComponent(() => import("@/pages/home/FirstWorkspace"), "FirstWorkspace"),
});

/** Everything in a workspace. */
export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/w/$workspace",
  staticData: { crumb: ({ workspace }) => workspace ?? "" },
  beforeLoad: async ({ params }) => {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery);
    if (!workspaces.some((one) => one.name === params.workspace)) {
      throw new Problem(
        404,
        "not-found",
        `There is no workspace ${params.workspace}, or you are no member of it.`,
        "Choose another one above, or ask its admin.",
      );
    }
    remember("workspace", params.workspace);
  },
  notFoundComponent: NotFound,
  errorComponent: PageError,
});

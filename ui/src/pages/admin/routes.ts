import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/routes";
import { text } from "@/app/search";
import { auditSearch } from "./audit/search";

const adminRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/admin",
});

export const usersRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/users",
  validateSearch: (search: Record<string, unknown>): { text?: string } => ({ text: text(search.text) }),
  component: lazyRouteComponent(() => import("./users/UsersPage"), "UsersPage"),
});

export const workspacesRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/workspaces",
  component: lazyRouteComponent(() => import("./workspaces/WorkspacesPage"), "WorkspacesPage"),
});

export const fullAuditRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit/FullAuditPage"), "FullAuditPage"),
});

export const serverRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/server",
  component: lazyRouteComponent(() => import("./server/ServerPage"), "ServerPage"),
});

export const adminRoutes = [
  adminRoute.addChildren([usersRoute, workspacesRoute, fullAuditRoute, serverRoute]),
] as const;

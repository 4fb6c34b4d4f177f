import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { text } from "@/app/search";

export type ConnectionsSearch = { name?: string; kind?: string };

export const connectionsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/connections",
  staticData: { crumb: () => "Connections" },
});

export const connectionsIndexRoute = createRoute({
  getParentRoute: () => connectionsRoute,
  path: "/",
  validateSearch: (search: Record<string, unknown>): ConnectionsSearch => ({
    name: text(search.name),
    kind: text(search.kind),
  }),
  component: lazyRouteComponent(() => import("./list/ConnectionsPage"), "ConnectionsPage"),
});

// Beside the list, not below it: a connection may be called "new".
export const newConnectionRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/new-connection",
  staticData: { crumb: () => "New connection" },
  validateSearch: (search: Record<string, unknown>): { kind?: string } => ({ kind: text(search.kind) }),
  component: lazyRouteComponent(() => import("./editor/NewConnectionPage"), "NewConnectionPage"),
});

export const connectionRoute = createRoute({
  getParentRoute: () => connectionsRoute,
  path: "/$connection",
  staticData: { crumb: ({ connection }) => connection ?? "" },
});

export const connectionIndexRoute = createRoute({
  getParentRoute: () => connectionRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./connection/ConnectionPage"), "ConnectionPage"),
});

export const editConnectionRoute = createRoute({
  getParentRoute: () => connectionRoute,
  path: "/edit",
  staticData: { crumb: () => "Edit" },
  component: lazyRouteComponent(() => import("./editor/EditConnectionPage"), "EditConnectionPage"),
});

export const connectionsRoutes = [
  connectionsRoute.addChildren([
    connectionsIndexRoute,
    connectionRoute.addChildren([connectionIndexRoute, editConnectionRoute]),
  ]),
  newConnectionRoute,
] as const;

import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "@/app/routes";
import { auditSearch } from "@/pages/admin/audit/search";

export const membersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/members",
  staticData: { crumb: () => "Members" },
  component: lazyRouteComponent(() => import("./members/MembersPage"), "MembersPage"),
});

export const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/settings",
  staticData: { crumb: () => "Settings" },
  component: lazyRouteComponent(() => import("./settings/SettingsPage"), "SettingsPage"),
});

export const notificationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/notifications",
  staticData: { crumb: () => "Notifications" },
});

export const notificationsIndexRoute = createRoute({
  getParentRoute: () => notificationsRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./notifications/NotificationsPage"), "NotificationsPage"),
});

export const notificationRoute = createRoute({
  getParentRoute: () => notificationsRoute,
  path: "/$rule",
  staticData: { crumb: ({ rule }) => rule ?? "" },
  component: lazyRouteComponent(() => import("./notifications/NotificationPage"), "NotificationPage"),
});

export const workspaceAuditRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/audit",
  staticData: { crumb: () => "Audit" },
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./WorkspaceAuditPage"), "WorkspaceAuditPage"),
});

export const workspaceRoutes = [
  membersRoute,
  settingsRoute,
  notificationsRoute.addChildren([notificationsIndexRoute, notificationRoute]),
  workspaceAuditRoute,
] as const;

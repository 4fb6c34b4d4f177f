import {
  type Icon,
  IconBell,
  IconClipboardList,
  IconFolders,
  IconHistory,
  IconHome,
  IconKey,
  IconPlayerPlay,
  IconPlugConnected,
  IconRoute,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconTable,
  IconTerminal2,
  IconUser,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { Role } from "@/api/types";

export type Place = {
  label: string;
  icon: Icon;
  to: LinkProps["to"];
  /** Under this heading; without one it is among the first. */
  group?: "Data" | "Workspace" | "Platform";
  /** Only this very address is it, not those below. */
  exact?: boolean;
  /** Only platform admins see it. */
  platform?: boolean;
  /** Only who has this role in the workspace sees it. */
  least?: Role;
};

/** What the navigation and the command palette lead to, in this order. */
export const PLACES: readonly Place[] = [
  { label: "Home", icon: IconHome, to: "/w/$workspace", exact: true },
  { label: "Runs", icon: IconPlayerPlay, to: "/w/$workspace/runs" },
  { label: "Jobs", icon: IconClipboardList, to: "/w/$workspace/jobs" },
  { label: "SQL", icon: IconTerminal2, to: "/w/$workspace/sql" },
  { label: "Tables", icon: IconTable, to: "/w/$workspace/tables", group: "Data" },
  { label: "Pipelines", icon: IconRoute, to: "/w/$workspace/pipelines", group: "Data" },
  { label: "Connections", icon: IconPlugConnected, to: "/w/$workspace/connections", group: "Data" },
  { label: "Members", icon: IconUsersGroup, to: "/w/$workspace/members", group: "Workspace" },
  { label: "Notifications", icon: IconBell, to: "/w/$workspace/notifications", group: "Workspace" },
  { label: "Settings", icon: IconSettings, to: "/w/$workspace/settings", group: "Workspace" },
  { label: "Audit", icon: IconHistory, to: "/w/$workspace/audit", group: "Workspace", least: "admin" },
  { label: "Workspaces", icon: IconFolders, to: "/admin/workspaces", group: "Platform", platform: true },
  { label: "Users", icon: IconUsers, to: "/admin/users", group: "Platform", platform: true },
  { label: "Full audit", icon: IconShieldCheck, to: "/admin/audit", group: "Platform", platform: true },
  { label: "Server", icon: IconServer, to: "/admin/server", group: "Platform", platform: true },
];

/** What is one's own: in the menu of the user, and in the palette. */
export const OWN_PLACES: readonly Place[] = [
  { label: "Account", icon: IconUser, to: "/account" },
  { label: "My tokens", icon: IconKey, to: "/tokens" },
];

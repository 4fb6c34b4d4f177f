import {
  type Icon,
  IconClipboardList,
  IconHome,
  IconPlayerPlay,
  IconRoute,
  IconTable,
  IconTerminal2,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";

export type Place = {
  label: string;
  icon: Icon;
  to: LinkProps["to"];
  /** Under this heading; without one it is among the first. */
  group?: "Data" | "Admin";
  /** Only this very address is it, not those below. */
  exact?: boolean;
  /** Only platform admins see it. */
  platform?: boolean;
};

/** What the navigation and the command palette lead to, in this order. */
export const PLACES: readonly Place[] = [
  { label: "Home", icon: IconHome, to: "/w/$workspace", exact: true },
  { label: "Runs", icon: IconPlayerPlay, to: "/w/$workspace/runs" },
  { label: "Jobs", icon: IconClipboardList, to: "/w/$workspace/jobs" },
  { label: "SQL", icon: IconTerminal2, to: "/w/$workspace/sql" },
  { label: "Tables", icon: IconTable, to: "/w/$workspace/tables", group: "Data" },
  { label: "Pipelines", icon: IconRoute, to: "/w/$workspace/pipelines", group: "Data" },
];

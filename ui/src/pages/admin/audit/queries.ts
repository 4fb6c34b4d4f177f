import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { AuditFilter } from "./search";

const PAGE = 100;

/** All of it, or a workspace's. */
export function auditQuery(workspace: string | undefined, filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ["audit", workspace ?? null, filter],
    queryFn: ({ pageParam: cursor }) => {
      const query = { ...filter, limit: PAGE, cursor };
      return workspace
        ? told(api.GET("/api/v1/workspaces/{workspace}/audit", { params: { path: { workspace }, query } }))
        : told(api.GET("/api/v1/audit", { params: { query } }));
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.next ? Number(page.next) : undefined),
  });
}

/** Where the same can be had as a file. */
export function exportAddress(
  workspace: string | undefined,
  filter: AuditFilter,
  format: "csv" | "jsonl",
): string {
  const given = Object.entries({ ...filter, format }).filter(([, value]) => value) as [string, string][];
  const place = workspace ? `/workspaces/${workspace}/audit` : "/audit";
  return `/api/v1${place}/export?${new URLSearchParams(given)}`;
}

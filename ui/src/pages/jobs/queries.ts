import { queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Job, Version } from "@/api/types";

export type Schedule = { cron: string; timezone: string };

export const jobKeys = {
  all: (workspace: string) => ["jobs", workspace] as const,
  one: (workspace: string, job: string) => ["job", workspace, job] as const,
};

export function jobsQuery(workspace: string) {
  return queryOptions({
    queryKey: [...jobKeys.all(workspace), "list"],
    queryFn: () => everyJob(workspace),
    refetchInterval: 10_000,
  });
}

export function jobQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: jobKeys.one(workspace, name),
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/jobs/{name}", { params: { path } })),
    refetchInterval: 10_000,
  });
}

export function versionsQuery(workspace: string, name: string) {
  return queryOptions({
    queryKey: [...jobKeys.one(workspace, name), "versions"],
    queryFn: () => everyVersion(workspace, name),
  });
}

export function timesQuery({ cron, timezone }: Schedule) {
  return queryOptions({
    queryKey: ["schedule-times", cron, timezone],
    queryFn: () => told(api.GET("/api/v1/schedule-times", { params: { query: { cron, timezone } } })),
    staleTime: 30_000,
  });
}

export const kindsQuery = queryOptions({
  queryKey: ["job-kinds"],
  queryFn: () => told(api.GET("/api/v1/job-kinds")),
  staleTime: Number.POSITIVE_INFINITY,
});

async function everyJob(workspace: string): Promise<Job[]> {
  const found: Job[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 500, cursor };
    const page = await told(
      api.GET("/api/v1/workspaces/{workspace}/jobs", { params: { path: { workspace }, query } }),
    );
    found.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor);
  return found;
}

async function everyVersion(workspace: string, name: string): Promise<Version[]> {
  const found: Version[] = [];
  let cursor: number | undefined;
  do {
    const params = { path: { workspace, name }, query: { limit: 500, cursor } };
    const page = await told(api.GET("/api/v1/workspaces/{workspace}/jobs/{name}/versions", { params }));
    found.push(...page.items);
    cursor = page.next ? Number(page.next) : undefined;
  } while (cursor);
  return found;
}

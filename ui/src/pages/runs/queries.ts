import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Run, State } from "@/api/types";
import { isOver } from "@/parts/states";

// Often enough to feel live, seldom enough for hundreds of open pages.
const LIVE = 2_000;
const PAGE = 100;
const MATRIX = 5_000;
/** Of the matrix: as many runs as fit beside a job's name. */
export const COLUMNS = 30;
const ROWS = 50;

export type RunFilter = { state: State[]; job?: string; by?: string; within?: string };

export const runKeys = {
  all: (workspace: string) => ["runs", workspace] as const,
  one: (workspace: string, run: string) => ["run", workspace, run] as const,
};

/** All that were ever made, page by page, the newest first. */
export function historyQuery(workspace: string, filter: RunFilter) {
  return infiniteQueryOptions({
    queryKey: [...runKeys.all(workspace), "history", filter],
    queryFn: ({ pageParam }) => runs(workspace, filter, { cursor: pageParam, limit: PAGE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The newest of them, again and again. */
export function liveQuery(workspace: string, filter: RunFilter, limit = PAGE) {
  return queryOptions({
    queryKey: [...runKeys.all(workspace), "live", filter, limit],
    queryFn: async () => (await runs(workspace, filter, { limit })).items,
    refetchInterval: LIVE,
  });
}

export function newestRunsQuery(workspace: string) {
  return queryOptions({
    queryKey: [...runKeys.all(workspace), "newest"],
    queryFn: async () => (await runs(workspace, { state: [] }, { limit: 20 })).items,
  });
}

/** The last runs of each job, the jobs page by page; all that are shown are asked for again as one looks. */
export function matrixQuery(workspace: string, job: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...runKeys.all(workspace), "by-job", job],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/runs-by-job", {
          params: { path: { workspace }, query: { job, cursor: pageParam, runs: COLUMNS, limit: ROWS } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: MATRIX,
  });
}

export function runQuery(workspace: string, run: string) {
  return queryOptions({
    queryKey: runKeys.one(workspace, run),
    queryFn: () =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/runs/{run_id}", {
          params: { path: { workspace, run_id: run } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.state) ? false : LIVE),
  });
}

export function timelineQuery(workspace: string, run: Run, attempt: number) {
  return queryOptions({
    queryKey: [...runKeys.one(workspace, run.id), "timeline", attempt],
    queryFn: () =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/runs/{run_id}/timeline", {
          params: { path: { workspace, run_id: run.id }, query: { attempt } },
        }),
      ),
    refetchInterval: isOver(run.state) ? false : LIVE,
  });
}

function runs(workspace: string, filter: RunFilter, page: { cursor?: string; limit: number }) {
  const query = {
    ...page,
    state: filter.state.length > 0 ? filter.state : undefined,
    job: filter.job,
    requested_by: filter.by,
    since: since(filter.within),
  };
  return told(api.GET("/api/v1/workspaces/{workspace}/runs", { params: { path: { workspace }, query } }));
}

const HOURS: Record<string, number> = { "1h": 1, "24h": 24, "7d": 168, "30d": 720 };
export const SPANS = Object.keys(HOURS);

function since(within: string | undefined): string | undefined {
  const hours = within ? HOURS[within] : undefined;
  return hours ? new Date(Date.now() - hours * 3_600_000).toISOString() : undefined;
}

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Pipeline } from "@/api/types";
import type { RejectState } from "./routes";

const LIVE = 5_000;
const STREAMS_LIVE = 2_000;
// What the lake has to be asked for is asked less often.
const CALM = 15_000;
const PAGE = 100;
// As many runs as a chart can show side by side.
const CHARTED = 100;

export type PipelineKind = Pipeline["kind"];
export type RejectFilter = { state: RejectState; reason?: string; load?: string; file?: string };

export const pipelineKeys = {
  all: (workspace: string) => ["pipelines", workspace] as const,
  one: (workspace: string, job: string) => ["pipeline", workspace, job] as const,
  /** What changes when something is decided about rejects. */
  lake: (workspace: string, job: string) => ["pipeline-lake", workspace, job] as const,
};

export function pipelinesQuery(workspace: string, kind: PipelineKind, text: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...pipelineKeys.all(workspace), kind, text ?? ""],
    queryFn: ({ pageParam }) => {
      const query = { kind, text, cursor: pageParam, limit: 50 };
      return told(
        api.GET("/api/v1/workspaces/{workspace}/pipelines", { params: { path: { workspace }, query } }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: kind === "stream" ? STREAMS_LIVE : LIVE,
  });
}

export function pipelineQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: pipelineKeys.one(workspace, name),
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}", { params: { path } })),
    refetchInterval: ({ state }) => (state.data?.kind === "stream" ? STREAMS_LIVE : LIVE),
  });
}

export function historyQuery(workspace: string, name: string) {
  const params = { path: { workspace, name }, query: { limit: CHARTED } };
  return queryOptions({
    queryKey: [...pipelineKeys.one(workspace, name), "history"],
    queryFn: async () =>
      (await told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}/history", { params }))).items,
    refetchInterval: LIVE,
  });
}

export function standingQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...pipelineKeys.lake(workspace, name), "standing"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}/standing", { params: { path } })),
    staleTime: CALM,
    refetchInterval: CALM,
  });
}

export function countsQuery(workspace: string, name: string, state: RejectState) {
  const params = { path: { workspace, name }, query: { state } };
  return queryOptions({
    queryKey: [...pipelineKeys.lake(workspace, name), "counts", state],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/counts", { params })),
    refetchInterval: CALM,
  });
}

export function rejectsQuery(workspace: string, name: string, { state, reason, load, file }: RejectFilter) {
  return infiniteQueryOptions({
    queryKey: [...pipelineKeys.lake(workspace, name), "rejects", state, reason, load, file],
    queryFn: ({ pageParam }) => {
      const query = { state, reason, load_id: load, file, cursor: pageParam, limit: PAGE };
      const params = { path: { workspace, name }, query };
      return told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects", { params }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function rejectQuery(workspace: string, name: string, reject: string) {
  const params = { path: { workspace, name, reject } };
  return queryOptions({
    queryKey: [...pipelineKeys.lake(workspace, name), "reject", reject],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/{reject}", { params })),
  });
}

import { queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { everyPage } from "@/api/everyPage";

const ALL = "/api/v1/workspaces/{workspace}/connections";

export const connectionKeys = {
  all: (workspace: string) => ["connections", workspace] as const,
  one: (workspace: string, name: string) => ["connection", workspace, name] as const,
};

export function connectionsQuery(workspace: string) {
  return queryOptions({
    queryKey: connectionKeys.all(workspace),
    queryFn: () =>
      everyPage((cursor) =>
        told(api.GET(ALL, { params: { path: { workspace }, query: { limit: 500, cursor } } })),
      ),
    refetchInterval: 30_000,
  });
}

export function connectionQuery(workspace: string, name: string) {
  return queryOptions({
    queryKey: connectionKeys.one(workspace, name),
    queryFn: () => told(api.GET(`${ALL}/{name}`, { params: { path: { workspace, name } } })),
  });
}

export const connectionKindsQuery = queryOptions({
  queryKey: ["connection-kinds"],
  queryFn: () => told(api.GET("/api/v1/connection-kinds")),
  staleTime: Number.POSITIVE_INFINITY,
});

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { SavedQuery } from "@/api/types";
import { isOver } from "@/parts/states";
import { runQuery } from "../runs/queries";

// Whoever waits for an answer looks at it.
const WATCHED = 700;
const PAGE = 100;

export const sqlKeys = {
  history: (workspace: string) => ["queries", workspace] as const,
  saved: (workspace: string) => ["saved-queries", workspace] as const,
};

export function historyQuery(workspace: string, text: string | undefined) {
  return infiniteQueryOptions({
    queryKey: [...sqlKeys.history(workspace), "history", text ?? ""],
    queryFn: ({ pageParam }) => {
      const query = { text, limit: PAGE, cursor: pageParam };
      return told(
        api.GET("/api/v1/workspaces/{workspace}/queries", { params: { path: { workspace }, query } }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function askedQuery(workspace: string, id: string) {
  const path = { workspace, query_id: id };
  return queryOptions({
    queryKey: [...sqlKeys.history(workspace), "one", id],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/queries/{query_id}", { params: { path } })),
  });
}

export function watchedRunQuery(workspace: string, run: string) {
  return queryOptions({
    ...runQuery(workspace, run),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.state) ? false : WATCHED),
  });
}

export function savedQueriesQuery(workspace: string) {
  return queryOptions({
    queryKey: [...sqlKeys.saved(workspace), "all"],
    queryFn: () => everySaved(workspace),
  });
}

export function savedQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...sqlKeys.saved(workspace), "one", name],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/saved-queries/{name}", { params: { path } })),
  });
}

/** The connections that SQL can be asked of. */
export function enginesQuery(workspace: string) {
  return queryOptions({
    queryKey: ["connections", workspace, "engines"],
    queryFn: async () => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const params = { path: { workspace }, query: { limit: 500, cursor } };
        const page = await told(api.GET("/api/v1/workspaces/{workspace}/connections", { params }));
        names.push(...page.items.filter((one) => one.kind === "trino").map((one) => one.name));
        cursor = page.next ?? undefined;
      } while (cursor);
      return names;
    },
    staleTime: 60_000,
  });
}

/** Datasets for completion: the first of them, or those that a word leads to. */
export function datasetsQuery(workspace: string, text: string | undefined) {
  return queryOptions({
    queryKey: ["datasets", workspace, "completion", text ?? ""],
    queryFn: () => {
      const query = { text, gone: false, limit: 500 };
      return told(
        api.GET("/api/v1/workspaces/{workspace}/datasets", { params: { path: { workspace }, query } }),
      );
    },
    staleTime: 60_000,
  });
}

export function snapshotsQuery(workspace: string, name: string) {
  const params = { path: { workspace, name }, query: { limit: 100 } };
  return queryOptions({
    queryKey: ["snapshots", workspace, name, "newest"],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/snapshots", { params })),
  });
}

async function everySaved(workspace: string): Promise<SavedQuery[]> {
  const found: SavedQuery[] = [];
  let cursor: string | undefined;
  do {
    const params = { path: { workspace }, query: { limit: 500, cursor } };
    const page = await told(api.GET("/api/v1/workspaces/{workspace}/saved-queries", { params }));
    found.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor);
  return found;
}

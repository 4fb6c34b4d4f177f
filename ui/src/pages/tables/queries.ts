import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { paths } from "@/api/schema";
import type { TablesSearch } from "./routes";

type Params<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;
export type FileFilter = Omit<
  Params<"/api/v1/workspaces/{workspace}/datasets/{name}/files">,
  "cursor" | "limit"
>;
export type PartitionFilter = Omit<
  Params<"/api/v1/workspaces/{workspace}/datasets/{name}/partitions">,
  "cursor" | "limit"
>;

const PAGE = 200;
// A table is looked at while others write to it: often enough to see that, seldom enough for its catalog.
const FRESH = 15_000;

export const tableKeys = {
  all: (workspace: string) => ["tables", workspace] as const,
  one: (workspace: string, name: string) => ["table", workspace, name] as const,
};

export function tablesQuery(workspace: string, search: TablesSearch) {
  return infiniteQueryOptions({
    queryKey: [...tableKeys.all(workspace), "list", search],
    queryFn: ({ pageParam }) => tables(workspace, { ...search, cursor: pageParam, limit: PAGE }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: FRESH,
  });
}

/** The first few hundred by name, for the palette. */
export function tableNamesQuery(workspace: string) {
  return queryOptions({
    queryKey: [...tableKeys.all(workspace), "names"],
    queryFn: async () => (await tables(workspace, { limit: 500, gone: false })).items,
    staleTime: FRESH,
  });
}

export function groupsQuery(workspace: string) {
  return queryOptions({
    queryKey: [...tableKeys.all(workspace), "groups"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/dataset-groups", { params: { path: { workspace } } })),
    staleTime: FRESH,
  });
}

export function catalogsQuery(workspace: string) {
  return queryOptions({
    queryKey: ["connections", workspace, "catalogs"],
    queryFn: async () => {
      const params = { path: { workspace }, query: { limit: 500 } };
      const page = await told(api.GET("/api/v1/workspaces/{workspace}/connections", { params }));
      return page.items.filter((one) => one.kind === "iceberg-rest").map((one) => one.name);
    },
    staleTime: 60_000,
  });
}

/** What is kept of it here: there at once, whatever its catalog does. */
export function datasetQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: tableKeys.one(workspace, name),
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}", { params: { path } })),
    staleTime: FRESH,
  });
}

/** What its catalog says of it at the moment. */
export function tableQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "table"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/table", { params: { path } })),
    refetchInterval: FRESH,
  });
}

export function schemasQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "schemas"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/schemas", { params: { path } })),
    staleTime: FRESH,
  });
}

export function healthQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "health"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/health", { params: { path } })),
    staleTime: FRESH,
  });
}

export function sizesQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "sizes"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/sizes", { params: { path } })),
    staleTime: FRESH,
  });
}

export function snapshotsQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return infiniteQueryOptions({
    queryKey: [...tableKeys.one(workspace, name), "snapshots"],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/snapshots", {
          params: { path, query: { cursor: pageParam, limit: PAGE } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: FRESH,
  });
}

export function diffQuery(workspace: string, name: string, before: string, after: string) {
  const params = { path: { workspace, name }, query: { before, after } };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "diff", before, after],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/snapshots/diff", { params })),
    // Snapshots do not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function filesQuery(workspace: string, name: string, filter: FileFilter) {
  const path = { workspace, name };
  return infiniteQueryOptions({
    queryKey: [...tableKeys.one(workspace, name), "files", filter],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/files", {
          params: { path, query: { ...filter, cursor: pageParam, limit: PAGE } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: FRESH,
  });
}

export function partitionsQuery(workspace: string, name: string, filter: PartitionFilter) {
  const path = { workspace, name };
  return infiniteQueryOptions({
    queryKey: [...tableKeys.one(workspace, name), "partitions", filter],
    queryFn: ({ pageParam }) =>
      told(
        api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/partitions", {
          params: { path, query: { ...filter, cursor: pageParam, limit: PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.next ? Number(page.next) : undefined),
    staleTime: FRESH,
  });
}

export function lineageQuery(workspace: string, name: string, depth: number) {
  const params = { path: { workspace, name }, query: { depth } };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "lineage", depth],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/lineage", { params })),
    staleTime: FRESH,
  });
}

export function grantsQuery(workspace: string, name: string) {
  const path = { workspace, name };
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "grants"],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/datasets/{name}/grants", { params: { path } })),
  });
}

function tables(workspace: string, query: Params<"/api/v1/workspaces/{workspace}/datasets">) {
  return told(api.GET("/api/v1/workspaces/{workspace}/datasets", { params: { path: { workspace }, query } }));
}

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { components } from "@/api/schema";
import { showProblem } from "@/parts/showProblem";
import { tableKeys } from "./queries";

type Schemas = components["schemas"];

/** Takes up what a catalog has: a connection's, or the lakehouse's own. */
export function useSync(workspace: string) {
  const queries = useQueryClient();
  const params = { path: { workspace } };
  return useMutation({
    mutationFn: (connection: string | null) =>
      told(api.POST("/api/v1/workspaces/{workspace}/datasets/sync", { params, body: { connection } })),
    onSuccess: (synced) => {
      notifications.show({ message: inWords(synced) });
      return queries.invalidateQueries({ queryKey: tableKeys.all(workspace) });
    },
    onError: showProblem,
  });
}

export function useDescribe(workspace: string, name: string) {
  const params = { path: { workspace, name } };
  return useTableChange(workspace, name, (change: Schemas["DatasetChange"]) =>
    told(api.PATCH("/api/v1/workspaces/{workspace}/datasets/{name}", { params, body: change })),
  );
}

export function useRollBack(workspace: string, name: string) {
  const params = { path: { workspace, name } };
  return useTableChange(workspace, name, (body: Schemas["TableRollBack"]) =>
    told(api.POST("/api/v1/workspaces/{workspace}/datasets/{name}/roll-back", { params, body })),
  );
}

export function useGrant(workspace: string, name: string) {
  const params = { path: { workspace, name } };
  return useTableChange(workspace, name, (body: Schemas["GrantWanted"]) =>
    told(api.POST("/api/v1/workspaces/{workspace}/datasets/{name}/grants", { params, body })),
  );
}

export function useRevoke(workspace: string, name: string) {
  const path = { workspace, name };
  return useTableChange(workspace, name, (query: Schemas["GrantWanted"]) =>
    told(api.DELETE("/api/v1/workspaces/{workspace}/datasets/{name}/grants", { params: { path, query } })),
  );
}

function useTableChange<Change, Answer>(
  workspace: string,
  name: string,
  change: (wanted: Change) => Promise<Answer>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: tableKeys.one(workspace, name) }),
        queries.invalidateQueries({ queryKey: tableKeys.all(workspace) }),
      ]),
  });
}

function inWords(synced: Schemas["Synced"]): string {
  const counts = (["added", "changed", "renamed", "returned", "gone"] as const)
    .filter((what) => synced[what] > 0)
    .map((what) => `${synced[what]} ${what}`);
  const left = synced.left_out.length > 0 ? [`${synced.left_out.length} left out`] : [];
  return `${synced.found} tables found: ${[...counts, ...left].join(", ") || "nothing has changed"}.`;
}

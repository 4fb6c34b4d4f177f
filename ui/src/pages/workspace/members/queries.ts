import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Role } from "@/api/types";
import { workspacesQuery } from "@/app/session";

const ONE = "/api/v1/workspaces/{workspace}/members/{name}";

export function membersQuery(workspace: string) {
  return queryOptions({
    queryKey: ["members", workspace],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/members", { params: { path: { workspace } } })),
  });
}

export function groupsQuery(workspace: string) {
  return queryOptions({
    queryKey: ["groups", workspace],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/groups", { params: { path: { workspace } } })),
    staleTime: 60_000,
  });
}

/** Users who are no members yet, by a part of their name. */
export function candidatesQuery(workspace: string, text: string) {
  const params = { path: { workspace }, query: { text } };
  return queryOptions({
    queryKey: ["candidates", workspace, text],
    queryFn: () => told(api.GET("/api/v1/workspaces/{workspace}/member-candidates", { params })),
  });
}

export function useSetMember(workspace: string) {
  return useMembersChange(workspace, ({ name, role }: { name: string; role: Role }) =>
    told(api.PUT(ONE, { params: { path: { workspace, name } }, body: { role } })),
  );
}

export function useRemoveMember(workspace: string) {
  return useMembersChange(workspace, (name: string) =>
    told(api.DELETE(ONE, { params: { path: { workspace, name } } })),
  );
}

function useMembersChange<Given, Answer>(workspace: string, change: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["members", workspace] }),
        queries.invalidateQueries({ queryKey: ["candidates", workspace] }),
        // It may be oneself.
        queries.invalidateQueries(workspacesQuery),
      ]),
  });
}

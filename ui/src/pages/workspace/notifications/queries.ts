import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import { everyPage } from "@/api/everyPage";
import type { Rule } from "@/api/types";

const ALL = "/api/v1/workspaces/{workspace}/notifications";
const ONE = "/api/v1/workspaces/{workspace}/notifications/{name}";

export type RuleDraft = Pick<
  Rule,
  "name" | "description" | "connection" | "recipients" | "events" | "jobs" | "enabled"
>;

const keys = {
  all: (workspace: string) => ["notifications", workspace] as const,
  one: (workspace: string, name: string) => ["notification", workspace, name] as const,
};

export function rulesQuery(workspace: string) {
  return queryOptions({
    queryKey: keys.all(workspace),
    queryFn: () =>
      everyPage((cursor) =>
        told(api.GET(ALL, { params: { path: { workspace }, query: { limit: 500, cursor } } })),
      ),
  });
}

export function ruleQuery(workspace: string, name: string) {
  return queryOptions({
    queryKey: keys.one(workspace, name),
    queryFn: () => told(api.GET(ONE, { params: { path: { workspace, name } } })),
  });
}

export function deliveriesQuery(workspace: string, name: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.one(workspace, name), "deliveries"],
    queryFn: ({ pageParam }) => {
      const params = { path: { workspace, name }, query: { limit: 100, cursor: pageParam } };
      return told(api.GET(`${ONE}/deliveries`, { params }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    refetchInterval: 5_000,
  });
}

export function useCreateRule(workspace: string) {
  const refresh = useRefresh(workspace);
  return useMutation({
    mutationFn: (body: RuleDraft) => told(api.POST(ALL, { params: { path: { workspace } }, body })),
    onSuccess: ({ name }) => refresh(name),
  });
}

export function useChangeRule(workspace: string, name: string) {
  const refresh = useRefresh(workspace);
  return useMutation({
    mutationFn: (change: Partial<RuleDraft>) => {
      const { name: _, ...body } = change;
      return told(api.PATCH(ONE, { params: { path: { workspace, name } }, body }));
    },
    onSuccess: () => refresh(name),
  });
}

export function useTestRule(workspace: string, name: string) {
  return useMutation({
    mutationFn: () => told(api.POST(`${ONE}/test`, { params: { path: { workspace, name } } })),
  });
}

export function useRemoveRule(workspace: string, name: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => told(api.DELETE(ONE, { params: { path: { workspace, name } } })),
    onSuccess: async () => {
      await navigate({ to: "/w/$workspace/notifications", params: { workspace } });
      queries.removeQueries({ queryKey: keys.one(workspace, name) });
      await queries.invalidateQueries({ queryKey: keys.all(workspace) });
    },
  });
}

function useRefresh(workspace: string) {
  const queries = useQueryClient();
  return (name: string) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: keys.all(workspace) }),
      queries.invalidateQueries({ queryKey: keys.one(workspace, name) }),
    ]);
}

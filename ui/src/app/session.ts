import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { Role, User, Workspace } from "@/api/types";
import { queryClient } from "./queries";

const ROLES: readonly Role[] = ["viewer", "runner", "editor", "admin"];

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: () => told(api.GET("/api/v1/me")),
  staleTime: 60_000,
});

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: () => everyWorkspace(),
  staleTime: 30_000,
});

export function useMe(): User {
  return useSuspenseQuery(meQuery).data;
}

export function useWorkspaces(): Workspace[] {
  return useQuery(workspacesQuery).data ?? [];
}

/** Whether the user may do what takes this role in the workspace. The server decides; this keeps buttons honest. */
export function useMay(workspace: string, least: Role): boolean {
  const role = useWorkspaces().find((one) => one.name === workspace)?.role;
  return role !== undefined && covers(role, least);
}

export function covers(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export async function logOut(): Promise<void> {
  await told(api.POST("/api/v1/logout"));
  queryClient.clear();
}

async function everyWorkspace(): Promise<Workspace[]> {
  const found: Workspace[] = [];
  let cursor: string | undefined;
  do {
    const page = await told(api.GET("/api/v1/workspaces", { params: { query: { limit: 500, cursor } } }));
    found.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor);
  return found;
}

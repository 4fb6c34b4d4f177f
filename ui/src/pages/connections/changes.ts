import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import type { Connection } from "@/api/types";
import type { SecretGiven } from "./editor/secrets";
import { connectionKeys } from "./queries";

const ONE = "/api/v1/workspaces/{workspace}/connections/{name}";

export type NewConnection = {
  name: string;
  kind: string;
  description: string;
  config: Record<string, unknown>;
  secrets: Record<string, Exclude<SecretGiven, null>>;
};
export type Change = {
  description?: string;
  config?: Record<string, unknown>;
  secrets?: Record<string, SecretGiven>;
};

/** Tests what is saved, and shows how it went wherever the connection is shown. */
export function useTest(workspace: string, name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => told(api.POST(`${ONE}/test`, { params: { path: { workspace, name } } })),
    onSettled: () => refreshed(queries, workspace, name),
  });
}

/** Tests what is written, without keeping it. */
export function useTrial(workspace: string) {
  return useMutation({
    mutationFn: (body: NewConnection) =>
      told(
        api.POST("/api/v1/workspaces/{workspace}/connection-tests", {
          params: { path: { workspace } },
          body,
        }),
      ),
  });
}

export function useTrialOfChange(workspace: string, name: string) {
  return useMutation({
    mutationFn: (body: Change) =>
      told(api.POST(`${ONE}/test`, { params: { path: { workspace, name } }, body })),
  });
}

export function useCreate(workspace: string) {
  const shown = useShown(workspace);
  return useMutation({
    mutationFn: (body: NewConnection) =>
      told(api.POST("/api/v1/workspaces/{workspace}/connections", { params: { path: { workspace } }, body })),
    onSuccess: shown,
  });
}

export function useChange(workspace: string, name: string) {
  const shown = useShown(workspace);
  return useMutation({
    mutationFn: (body: Change) => told(api.PATCH(ONE, { params: { path: { workspace, name } }, body })),
    onSuccess: shown,
  });
}

export function useRemove(workspace: string, name: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => told(api.DELETE(ONE, { params: { path: { workspace, name } } })),
    onSuccess: async () => {
      await navigate({ to: "/w/$workspace/connections", params: { workspace } });
      queries.removeQueries({ queryKey: connectionKeys.one(workspace, name) });
      await queries.invalidateQueries({ queryKey: connectionKeys.all(workspace) });
    },
  });
}

function useShown(workspace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async ({ name }: Connection) => {
    await refreshed(queries, workspace, name);
    await navigate({
      to: "/w/$workspace/connections/$connection",
      params: { workspace, connection: name },
      ignoreBlocker: true,
    });
  };
}

function refreshed(queries: ReturnType<typeof useQueryClient>, workspace: string, name: string) {
  return Promise.all([
    queries.invalidateQueries({ queryKey: connectionKeys.all(workspace) }),
    queries.invalidateQueries({ queryKey: connectionKeys.one(workspace, name) }),
  ]);
}

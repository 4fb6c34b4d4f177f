import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, told } from "@/api/client";
import { onceKeys } from "@/parts/onceKeys";
import { showProblem } from "@/parts/showProblem";
import { jobKeys } from "../queries";

export function usePause(workspace: string, name: string, paused: boolean) {
  const params = { path: { workspace, name } };
  return useJobChange(workspace, name, () =>
    paused
      ? told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/resume", { params }))
      : told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/pause", { params })),
  );
}

export function useRollBack(workspace: string, name: string, version: number) {
  const params = { path: { workspace, name } };
  return useJobChange(workspace, name, () =>
    told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/roll-back", { params, body: { version } })),
  );
}

/** Starts a run; one goes there. */
export function useStart(workspace: string, name: string) {
  const navigate = useNavigate();
  const [keys] = useState(onceKeys);
  const params = { path: { workspace, name } };
  return useMutation({
    mutationFn: (values: Record<string, unknown>) => {
      const body = { values, key: keys.of(values) };
      return told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/runs", { params, body }));
    },
    onSuccess: (run) => {
      keys.answered();
      return navigate({ to: "/w/$workspace/runs/$run", params: { workspace, run: run.id } });
    },
  });
}

export function useRemove(workspace: string, name: string) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const params = { path: { workspace, name } };
  return useMutation({
    mutationFn: () => told(api.DELETE("/api/v1/workspaces/{workspace}/jobs/{name}", { params })),
    onSuccess: async () => {
      await navigate({ to: "/w/$workspace/jobs", params: { workspace } });
      queries.removeQueries({ queryKey: jobKeys.one(workspace, name) });
      await queries.invalidateQueries({ queryKey: jobKeys.all(workspace) });
    },
  });
}

function useJobChange<Answer>(workspace: string, name: string, change: () => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: showProblem,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: jobKeys.one(workspace, name) }),
        queries.invalidateQueries({ queryKey: jobKeys.all(workspace) }),
      ]),
  });
}

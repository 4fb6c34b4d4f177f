import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, told } from "@/api/client";
import type { Run } from "@/api/types";
import { onceKeys } from "@/parts/onceKeys";
import { showProblem } from "@/parts/showProblem";
import { runKeys } from "../queries";

export function useStop(workspace: string, run: string) {
  const path = { workspace, run_id: run };
  return useChange(workspace, run, () =>
    told(api.POST("/api/v1/workspaces/{workspace}/runs/{run_id}/stop", { params: { path } })),
  );
}

export function useRetry(workspace: string, run: string) {
  const path = { workspace, run_id: run };
  return useChange(workspace, run, () =>
    told(api.POST("/api/v1/workspaces/{workspace}/runs/{run_id}/retry", { params: { path } })),
  );
}

/** A new run with the same values; one goes there. */
export function useRerun(workspace: string, { job, values }: Run) {
  const navigate = useNavigate();
  const [keys] = useState(onceKeys);
  const params = { path: { workspace, name: job } };
  return useMutation({
    mutationFn: () => {
      const body = { values, key: keys.of({ job, values }) };
      return told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/runs", { params, body }));
    },
    onSuccess: (run) => {
      keys.answered();
      return navigate({ to: "/w/$workspace/runs/$run", params: { workspace, run: run.id } });
    },
    onError: showProblem,
  });
}

function useChange(workspace: string, run: string, change: () => Promise<Run>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onError: showProblem,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: runKeys.one(workspace, run) }),
        queries.invalidateQueries({ queryKey: runKeys.all(workspace) }),
      ]),
  });
}

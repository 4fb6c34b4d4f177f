import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { showProblem } from "@/parts/showProblem";
import { pipelineKeys } from "../queries";

type Wanted = { values: Record<string, unknown>; otherwise?: "replace" };

/** Starts a run, or one instead of that at work; one stays, and sees it begin. */
export function useBegin(workspace: string, name: string) {
  const queries = useQueryClient();
  const params = { path: { workspace, name } };
  return useMutation({
    mutationFn: (body: Wanted) =>
      told(api.POST("/api/v1/workspaces/{workspace}/jobs/{name}/runs", { params, body })),
    onError: showProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: pipelineKeys.one(workspace, name) }),
  });
}

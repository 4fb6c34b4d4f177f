import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import type { Draft } from "../definition";
import { jobKeys } from "../queries";

/** Saves the job, new or not, and shows it. */
export function useSave(workspace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, definition }: Draft) =>
      told(
        api.PUT("/api/v1/workspaces/{workspace}/jobs/{name}", {
          params: { path: { workspace, name } },
          body: definition,
        }),
      ),
    onSuccess: async ({ job }) => {
      await queries.invalidateQueries({ queryKey: jobKeys.all(workspace) });
      await queries.invalidateQueries({ queryKey: jobKeys.one(workspace, job.name) });
      // What was written is saved: nobody need be asked whether to leave it.
      await navigate({
        to: "/w/$workspace/jobs/$job",
        params: { workspace, job: job.name },
        ignoreBlocker: true,
      });
    },
  });
}

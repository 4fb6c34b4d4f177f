import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import { Problem } from "@/api/problem";
import type { Job } from "@/api/types";
import type { Draft } from "../definition";
import { jobKeys } from "../queries";

/** Saves a new job, or a new version of the one whose version `base` was changed, and shows it. */
export function useSave(workspace: string, base: number | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (draft: Draft) =>
      base === undefined ? create(workspace, draft) : change(workspace, draft, base),
    onSuccess: async ({ name }) => {
      await queries.invalidateQueries({ queryKey: jobKeys.all(workspace) });
      await queries.invalidateQueries({ queryKey: jobKeys.one(workspace, name) });
      // What was written is saved: nobody need be asked whether to leave it.
      await navigate({
        to: "/w/$workspace/jobs/$job",
        params: { workspace, job: name },
        ignoreBlocker: true,
      });
    },
  });
}

/** Whether somebody else was faster: a job of this name, or a newer version of it, is there by now. */
export function isConflict(error: unknown): boolean {
  return error instanceof Problem && error.status === 409;
}

async function create(workspace: string, { name, definition }: Draft): Promise<Job> {
  const params = { path: { workspace } };
  return told(api.POST("/api/v1/workspaces/{workspace}/jobs", { params, body: { name, ...definition } }));
}

async function change(workspace: string, { name, definition }: Draft, base: number): Promise<Job> {
  const params = { path: { workspace, name }, query: { base } };
  return (await told(api.PUT("/api/v1/workspaces/{workspace}/jobs/{name}", { params, body: definition })))
    .job;
}

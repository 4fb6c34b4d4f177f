import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import type { Workspace } from "@/api/types";
import { workspacesQuery } from "@/app/session";

export type Draft = {
  description: string;
  timeout_seconds?: number;
  retries?: number;
  runs?: number;
  cores?: number;
  memory_mb?: number;
};

const ONE = "/api/v1/workspaces/{workspace}";

export function draftOf({ description, defaults, quotas }: Workspace): Draft {
  const { timeout_seconds, retries } = defaults as { timeout_seconds?: number | null; retries?: number };
  return { description, timeout_seconds: timeout_seconds ?? undefined, retries: retries ?? 0, ...quotas };
}

export function useSaveWorkspace(workspace: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ description, timeout_seconds, retries, runs, cores, memory_mb }: Draft) =>
      told(
        api.PATCH(ONE, {
          params: { path: { workspace } },
          body: {
            description,
            defaults: { timeout_seconds: timeout_seconds ?? null, retries: retries ?? 0 },
            // What is left empty stays as it is.
            quotas: { runs, cores, memory_mb },
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(workspacesQuery),
  });
}

export function useDeleteWorkspace(workspace: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => told(api.DELETE(ONE, { params: { path: { workspace } } })),
    onSuccess: async () => {
      await navigate({ to: "/admin/workspaces" });
      await queries.invalidateQueries(workspacesQuery);
    },
  });
}

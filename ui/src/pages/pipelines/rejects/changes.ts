import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, told } from "@/api/client";
import type { components } from "@/api/schema";
import { pipelineKeys } from "../queries";
import type { PipelineSearch } from "../routes";

export type Chosen = Omit<components["schemas"]["Chosen"], "everything"> & { everything?: boolean };
/** Those that are to be given up: none that came after somebody looked. */
export type Discarded = Chosen & { seen?: string | null };

function useLakeChange<Input, Answer>(
  workspace: string,
  name: string,
  change: (input: Input) => Promise<Answer>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: pipelineKeys.lake(workspace, name) }),
  });
}

export function useMend(workspace: string, name: string, reject: string) {
  const params = { path: { workspace, name, reject } };
  return useLakeChange(workspace, name, (raw: string) =>
    told(
      api.PUT("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/{reject}/mend", {
        params,
        body: { raw },
      }),
    ),
  );
}

export function useDiscard(workspace: string, name: string) {
  const params = { path: { workspace, name } };
  return useLakeChange(workspace, name, ({ note, ...chosen }: Discarded & { note: string }) =>
    told(
      api.POST("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/discard", {
        params,
        body: { everything: false, ...chosen, note },
      }),
    ),
  );
}

export function useReopen(workspace: string, name: string) {
  const params = { path: { workspace, name } };
  return useLakeChange(workspace, name, (ids: string[]) =>
    told(
      api.POST("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/reopen", {
        params,
        body: { ids, everything: false, note: "" },
      }),
    ),
  );
}

/** Starts the run that replays them; the page shows how it goes. */
export function useReplay(workspace: string, name: string) {
  const goTo = useSearch(workspace, name);
  const params = { path: { workspace, name } };
  return useMutation({
    mutationFn: (chosen: Chosen) =>
      told(
        api.POST("/api/v1/workspaces/{workspace}/pipelines/{name}/rejects/replay", {
          params,
          body: { everything: false, ...chosen },
        }),
      ),
    onSuccess: (run) => goTo({ replay: run.id, row: undefined }),
  });
}

/** Changes what the address says of the page. */
export function useSearch(workspace: string, job: string) {
  const navigate = useNavigate();
  return (change: PipelineSearch) =>
    navigate({
      to: "/w/$workspace/pipelines/$job",
      params: { workspace, job },
      search: (before) => ({ ...(before as PipelineSearch), ...change }),
      replace: true,
      resetScroll: false,
    });
}

import { queryOptions } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { Problem } from "@/api/problem";
import { isOver } from "@/parts/states";
import { tableKeys } from "./queries";
import { selection } from "./sql";

const ROWS = 100;
const PAUSE = 500;
// Who looks at a table waits no longer than that.
const SECONDS = 300;

/** The run of a query that reads the first rows. Whoever leaves before it has ended stops it. */
export function previewQuery(workspace: string, name: string, snapshot: string | undefined) {
  return queryOptions({
    queryKey: [...tableKeys.one(workspace, name), "preview", snapshot ?? "now"],
    queryFn: ({ signal }) => preview(workspace, selection(name, snapshot, ROWS), signal),
    // It takes an engine's time: only who asks for it again gets it again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

async function preview(workspace: string, sql: string, signal: AbortSignal) {
  const asked = await told(
    api.POST("/api/v1/workspaces/{workspace}/queries", {
      params: { path: { workspace } },
      body: { sql, rows: ROWS, timeout_seconds: SECONDS },
    }),
  );
  const path = { workspace, query_id: asked.id };
  const stop = () =>
    void api.POST("/api/v1/workspaces/{workspace}/queries/{query_id}/cancel", { params: { path } });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop);
  let state = asked.state;
  let error = asked.error;
  while (!isOver(state)) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
    ({ state, error } = await told(
      api.GET("/api/v1/workspaces/{workspace}/queries/{query_id}", { params: { path }, signal }),
    ));
  }
  signal.removeEventListener("abort", stop);
  if (state !== "succeeded")
    throw new Problem(
      0,
      "query",
      error ?? `The query is ${state}.`,
      "Read again, or look at the query itself.",
    );
  return asked.run_id;
}

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { showProblem } from "@/parts/showProblem";
import { runKeys } from "../runs/queries";
import { type Asked, askedAs, type Tab } from "./desk/desk";
import { parametersOf } from "./editor/parameters";
import type { Chosen } from "./editor/SqlEditor";
import { sqlKeys } from "./queries";

/** What a tab asks with this text of it, as the API takes it. */
export function questionOf(tab: Tab, sql: string) {
  return {
    sql,
    connection: tab.connection ?? null,
    rows: tab.rows,
    timeout_seconds: 3600,
    ...parametersOf(sql, tab.types, tab.values),
  };
}

type Question = { tab: Tab; chosen: Chosen };

export function useAsk(workspace: string, onAsked: (tab: string, asked: Asked) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ tab, chosen }: Question) => {
      const body = questionOf(tab, chosen.sql);
      return told(
        api.POST("/api/v1/workspaces/{workspace}/queries", { params: { path: { workspace } }, body }),
      );
    },
    onSuccess: (query, { tab, chosen }) => {
      onAsked(tab.id, askedAs(query, chosen.line));
      void queries.invalidateQueries({ queryKey: sqlKeys.history(workspace) });
    },
  });
}

export function useCancel(workspace: string, asked: Asked | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const path = { workspace, query_id: asked?.query ?? "" };
      return told(api.POST("/api/v1/workspaces/{workspace}/queries/{query_id}/cancel", { params: { path } }));
    },
    onError: showProblem,
    onSettled: () => queries.invalidateQueries({ queryKey: runKeys.one(workspace, asked?.run ?? "") }),
  });
}

import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { api, told } from "@/api/client";
import type { GridSort } from "@/parts/grid/columns";
import { runKeys } from "../queries";

/** Rows are fetched so many at a time, and only where one looks. */
export const PAGE = 1000;

export function resultPageQuery(workspace: string, run: string, sort: GridSort | undefined, page: number) {
  const path = { workspace, run_id: run };
  const order = sort ? { order_by: sort.by, descending: sort.descending } : {};
  const query = { offset: page * PAGE, limit: PAGE, ...order };
  return queryOptions({
    queryKey: [...runKeys.one(workspace, run), "result", sort ?? null, page],
    queryFn: () =>
      told(api.GET("/api/v1/workspaces/{workspace}/runs/{run_id}/result", { params: { path, query } })),
    // What a run returned stays what it is.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The columns of a result and its rows, as far as they are known; those in sight are asked for. */
export function useResult(workspace: string, run: string, sort: GridSort | undefined) {
  const head = useQuery({
    ...resultPageQuery(workspace, run, undefined, 0),
    placeholderData: keepPreviousData,
  });
  const [seen, setSeen] = useState<readonly [number, number]>([0, 0]);
  const numbers = Array.from({ length: seen[1] - seen[0] + 1 }, (_, index) => seen[0] + index);
  const pages = useQueries({
    queries: numbers.map((page) => resultPageQuery(workspace, run, sort, page)),
  });
  const known = new Map(numbers.map((page, index) => [page, pages[index]?.data?.rows]));
  const rowAt = (row: number) => known.get(Math.floor(row / PAGE))?.[row % PAGE];
  const onSeen = useCallback((first: number, last: number) => {
    const next = [Math.floor(first / PAGE), Math.floor(last / PAGE)] as const;
    setSeen((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  }, []);
  return { head, rowAt, onSeen, problem: head.error ?? pages.find((page) => page.error)?.error };
}

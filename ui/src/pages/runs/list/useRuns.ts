import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Run } from "@/api/types";
import { isOver } from "@/parts/states";
import { historyQuery, liveQuery, type RunFilter, runQuery } from "../queries";
import { merged } from "./merging";

// Further up than the newest hundred hardly anything is under way still; more of them would be asked for one by one.
const MOST_WATCHED = 20;

/** The runs that a filter finds: as many as one has scrolled to, and the newest as they come. */
export function useRuns(workspace: string, filter: RunFilter) {
  const queries = useQueryClient();
  const history = useInfiniteQuery(historyQuery(workspace, filter));
  const live = useQuery(liveQuery(workspace, filter));
  const older = useMemo(() => history.data?.pages.flatMap((page) => page.items), [history.data]);
  const watched = useMemo(() => stillGoing(older ?? [], live.data ?? []), [older, live.data]);
  const news = useQueries({ queries: watched.map((run) => runQuery(workspace, run.id)) });
  const found =
    older && live.data ? merged(older, [...live.data, ...news.flatMap(({ data }) => data ?? [])]) : undefined;
  const gap = found?.gap ?? false;
  useEffect(() => {
    // More came at once than a page holds, as after a night in the background.
    if (gap) void queries.resetQueries(historyQuery(workspace, filter));
  }, [gap, queries, workspace, filter]);
  return {
    runs: found?.runs,
    problem: history.error ?? live.error,
    more: history.hasNextPage,
    loadMore: () => {
      if (history.hasNextPage && !history.isFetching) void history.fetchNextPage();
    },
  };
}

function stillGoing(older: readonly Run[], live: readonly Run[]): Run[] {
  const known = new Set(live.map((run) => run.id));
  return older.filter((run) => !isOver(run.state) && !known.has(run.id)).slice(0, MOST_WATCHED);
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { someOf } from "@/app/search";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { STATES } from "@/parts/states";
import { matrixQuery } from "../queries";
import type { RunsSearch } from "../routes";
import { columns } from "./columns";
import { useTip } from "./useTip";

/** Each job a row, its last runs side by side: what breaks often, and what has become slow. */
export function RunMatrix({ workspace, search }: { workspace: string; search: RunsSearch }) {
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    matrixQuery(workspace, search.job),
  );
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const vivid = useMemo(() => someOf(STATES, search.state), [search.state]);
  const { tip, ...watched } = useTip();
  const list = useMemo(() => columns(workspace, vivid), [workspace, vivid]);
  return (
    <div style={{ display: "contents" }} {...watched}>
      <DataList
        fill
        label="Runs by job"
        rows={rows}
        columns={list}
        rowKey={(row) => row.job}
        problem={error}
        expected={12}
        onEnd={() => hasNextPage && !isFetching && void fetchNextPage()}
        foot={
          rows &&
          (hasNextPage ? "Loading more …" : "The newest run is at the right, the higher the longer it took.")
        }
        empty={<NoJobs job={search.job} />}
      />
      {tip}
    </div>
  );
}

function NoJobs({ job }: { job: string | undefined }) {
  if (job)
    return <EmptyState title={`There is no job ${job}`}>The filter takes a job's whole name.</EmptyState>;
  return (
    <EmptyState title="There is no job yet">
      Write one on the page of jobs, or as a file for <code>boathouse job apply</code>.
    </EmptyState>
  );
}

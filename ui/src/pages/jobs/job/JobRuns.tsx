import { useMemo } from "react";
import type { Job } from "@/api/types";
import { columns } from "@/pages/runs/list/columns";
import { useRuns } from "@/pages/runs/list/useRuns";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";

export function JobRuns({ job, workspace }: { job: Job; workspace: string }) {
  const filter = useMemo(() => ({ state: [], job: job.name }), [job.name]);
  const { runs, problem, more, loadMore } = useRuns(workspace, filter);
  const list = useMemo(() => columns(workspace), [workspace]);
  return (
    <DataList
      fill
      label={`Runs of ${job.name}`}
      rows={runs}
      columns={list}
      rowKey={(run) => run.id}
      problem={problem}
      onEnd={loadMore}
      foot={
        runs && (more ? "Loading more …" : `${runs.length.toLocaleString("en")} runs. That is all of them.`)
      }
      empty={<EmptyState title="It has not run yet">Start it with the button above.</EmptyState>}
    />
  );
}

import { useMemo } from "react";
import type { Job, Run } from "@/api/types";
import { columns } from "@/pages/runs/list/columns";
import { useRuns } from "@/pages/runs/list/useRuns";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";

type Props = {
  job: Job;
  workspace: string;
  /** What such runs tell beside what all do. Must stay the same from one drawing to the next. */
  more?: readonly Column<Run>[];
};

const NO_MORE: readonly Column<Run>[] = [];

export function JobRuns({ job, workspace, more: told = NO_MORE }: Props) {
  const filter = useMemo(() => ({ state: [], job: job.name }), [job.name]);
  const { runs, problem, more, loadMore } = useRuns(workspace, filter);
  const list = useMemo(() => [...columns(workspace), ...told], [workspace, told]);
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

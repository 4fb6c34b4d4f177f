import type { Job, Run } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { When } from "@/parts/When";
import { inWords } from "../schedules";
import { Lately } from "./Lately";

export function columns(workspace: string, runs: readonly Run[]): Column<Job>[] {
  const byJob = Map.groupBy(runs, (run) => run.job);
  const last = (job: Job) => byJob.get(job.name)?.[0];
  return [
    {
      id: "name",
      title: "Job",
      width: "minmax(120px, 1.3fr)",
      sortBy: (job) => job.name,
      cell: (job) => (
        <RowLink to="/w/$workspace/jobs/$job" params={{ workspace, job: job.name }} preload={false}>
          {job.name}
        </RowLink>
      ),
    },
    {
      id: "kind",
      title: "Kind",
      width: "76px",
      wide: true,
      sortBy: (job) => job.definition.kind,
      cell: (job) => job.definition.kind,
    },
    {
      id: "lately",
      title: "Lately",
      width: "104px",
      cell: (job) => <Lately runs={byJob.get(job.name) ?? []} />,
    },
    {
      id: "last",
      title: "Last run",
      width: "104px",
      sortBy: (job) => last(job)?.created_at,
      cell: (job) => <When at={last(job)?.created_at} none="–" />,
    },
    { id: "schedule", title: "Schedule", width: "minmax(140px, 1.6fr)", wide: true, cell: schedule },
    {
      id: "next",
      title: "Next",
      width: "100px",
      wide: true,
      sortBy: (job) => job.due_at,
      cell: (job) => <When at={job.due_at} none={job.paused ? "paused" : "–"} />,
    },
    {
      id: "version",
      title: "Version",
      width: "66px",
      wide: true,
      align: "right",
      sortBy: (job) => job.version,
      cell: (job) => job.version,
    },
  ];
}

function schedule({ definition }: Job) {
  if (!definition.schedule) return "on demand";
  const words = inWords(definition.schedule);
  return <span title={words}>{words}</span>;
}

import type { Run } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { StateBadge } from "@/parts/StateBadge";
import { Duration, When } from "@/parts/When";

export function columns(workspace: string): Column<Run>[] {
  return [
    { id: "state", title: "State", width: "112px", cell: (run) => <StateBadge state={run.state} /> },
    {
      id: "job",
      title: "Job",
      width: "minmax(110px, 1.3fr)",
      cell: (run) => (
        <RowLink to="/w/$workspace/runs/$run" params={{ workspace, run: run.id }} preload={false}>
          {run.job || "query"}
        </RowLink>
      ),
    },
    {
      id: "run",
      title: "Run",
      width: "84px",
      wide: true,
      cell: (run) => <span className="mono">{run.id.slice(-8)}</span>,
    },
    {
      id: "by",
      title: "Started by",
      width: "minmax(90px, 0.7fr)",
      wide: true,
      cell: (run) => startedBy(run),
    },
    { id: "when", title: "When", width: "96px", cell: (run) => <When at={run.created_at} /> },
    {
      id: "took",
      title: "Took",
      width: "92px",
      align: "right",
      wide: true,
      cell: (run) => <Duration from={run.started_at} to={run.ended_at} />,
    },
    {
      id: "said",
      title: "Note",
      width: "minmax(120px, 2fr)",
      wide: true,
      cell: (run) => <span title={run.error ?? ""}>{said(run)}</span>,
    },
  ];
}

export function startedBy(run: Run): string {
  return run.trigger === "schedule" ? "its schedule" : run.requested_by;
}

/** The error if there is one; else how far it is. */
export function said(run: Run): string {
  if (run.error) return run.error.split("\n")[0] ?? "";
  const progress = run.progress as { tasks_done?: number; tasks?: number } | null;
  if (run.state === "running" && progress?.tasks)
    return `${progress.tasks_done} of ${progress.tasks} Spark tasks`;
  return run.attempt > 1 ? `attempt ${run.attempt}` : "";
}

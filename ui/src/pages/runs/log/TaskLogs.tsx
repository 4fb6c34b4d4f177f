import { useMemo } from "react";
import type { RunInFull, Task } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { StateBadge } from "@/parts/StateBadge";
import { Duration } from "@/parts/When";

/** A flow prints nothing itself: each of its tasks has a log of its own. */
export function TaskLogs({ run, workspace }: { run: RunInFull; workspace: string }) {
  const list = useMemo(() => columns(workspace), [workspace]);
  return (
    <DataList
      label="Logs of its tasks"
      rows={run.tasks}
      columns={list}
      rowKey={(task) => task.name}
      empty={<EmptyState title="It has no tasks" />}
    />
  );
}

function columns(workspace: string): Column<Task>[] {
  return [
    {
      id: "task",
      title: "Log of",
      width: "minmax(120px, 1fr)",
      cell: ({ name, run }) =>
        run ? (
          <RowLink
            to="/w/$workspace/runs/$run"
            params={{ workspace, run: run.id }}
            search={{ tab: "log" }}
            preload={false}
          >
            {name}
          </RowLink>
        ) : (
          name
        ),
    },
    {
      id: "state",
      title: "State",
      width: "112px",
      cell: ({ run }) => (run ? <StateBadge state={run.state} /> : "not begun"),
    },
    {
      id: "took",
      title: "Took",
      width: "92px",
      align: "right",
      cell: ({ run }) => <Duration from={run?.started_at} to={run?.ended_at} />,
    },
  ];
}

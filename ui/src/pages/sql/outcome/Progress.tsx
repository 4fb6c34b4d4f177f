import { Progress as Bar, Group, Text } from "@mantine/core";
import type { RunInFull } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import { StateBadge } from "@/parts/StateBadge";
import { Duration } from "@/parts/When";
import classes from "./Outcome.module.css";

type Told = {
  tasks_done?: number;
  tasks?: number;
  stages_done?: number;
  stages?: number;
  bytes_read?: number;
};

/** How far a query has come, as its engine tells it. */
export function Progress({ run }: { run: RunInFull }) {
  const told = (run.progress ?? {}) as Told;
  const share = told.tasks ? (100 * (told.tasks_done ?? 0)) / told.tasks : undefined;
  return (
    <div className={classes.frame} role="status" aria-label="Progress">
      <Group gap="sm">
        <StateBadge state={run.state} />
        <Text size="sm" className={classes.figures}>
          <Duration from={run.started_at ?? run.created_at} />
        </Text>
        {run.stop_by && <Text size="sm">It is being cancelled.</Text>}
      </Group>
      <Bar
        aria-label="Tasks done"
        value={share ?? 100}
        striped={share === undefined}
        animated={share === undefined}
        color={share === undefined ? "gray" : undefined}
      />
      <Text size="sm" c="dimmed" className={classes.figures}>
        {run.state === "pending"
          ? "Waiting for a worker. If it stays so, none is free: `boathouse worker list` shows them."
          : figures(told)}
      </Text>
    </div>
  );
}

function figures({ tasks_done, tasks, stages_done, stages, bytes_read }: Told): string {
  if (!tasks) return "The engine is making its plan.";
  const parts = [
    `${count(tasks_done)} of ${count(tasks)} tasks`,
    `${count(stages_done)} of ${count(stages)} stages`,
  ];
  if (bytes_read) parts.push(`${bytes(bytes_read)} read`);
  return parts.join(" · ");
}

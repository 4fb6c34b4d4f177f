import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { RunInFull } from "@/api/types";
import { timelineQuery } from "../queries";

const LineChart = lazy(() => import("@/parts/LineChart"));

/** How Spark came along in the latest attempt, where it was recorded. */
export function SparkProgress({ run, workspace }: { run: RunInFull; workspace: string }) {
  const wanted = run.attempt > 0 && run.kind !== "flow";
  const { data: points } = useQuery({ ...timelineQuery(workspace, run, run.attempt), enabled: wanted });
  if (!points || points.length < 2) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mt="sm">
        Spark tasks and stages done, by seconds
      </Text>
      <Suspense fallback={<div style={{ height: 140 }} />}>
        <LineChart
          label="Spark tasks and stages done, by seconds"
          height={140}
          x={points.map((point) => point.seconds)}
          lines={[
            { label: "tasks", values: points.map((point) => point.tasks_done), colour: "--running" },
            { label: "stages", values: points.map((point) => point.stages_done), colour: "--succeeded" },
          ]}
        />
      </Suspense>
    </div>
  );
}

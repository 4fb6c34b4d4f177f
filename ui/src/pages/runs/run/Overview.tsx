import { Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { RunInFull } from "@/api/types";
import { KeyValue } from "@/parts/KeyValue";
import { Section } from "@/parts/Section";
import { When } from "@/parts/When";
import { Attempts } from "./Attempts";
import { barsOf } from "./bars";
import { Gantt } from "./Gantt";
import { SparkProgress } from "./SparkProgress";

export function Overview({ run, workspace }: { run: RunInFull; workspace: string }) {
  const values = Object.entries(run.values);
  return (
    <Stack gap="md">
      <Section title="Timeline">
        <Gantt bars={barsOf(run)} workspace={workspace} />
        <SparkProgress run={run} workspace={workspace} />
      </Section>
      {values.length > 0 && (
        <Section title="Parameters">
          <KeyValue
            entries={Object.fromEntries(
              values.map(([name, value]) => [
                name,
                <span key={name} className="mono">
                  {shown(value)}
                </span>,
              ]),
            )}
          />
        </Section>
      )}
      {run.attempts.length > 0 && run.kind !== "flow" && (
        <Section title={run.attempts.length > 1 ? "Attempts, side by side" : "Attempt"}>
          <Attempts run={run} />
        </Section>
      )}
      <Section title="Details">
        <KeyValue
          entries={{
            Trigger: run.trigger,
            "Scheduled for": run.scheduled_for ? <When at={run.scheduled_for} /> : undefined,
            Asked: <When at={run.created_at} />,
            Started: <When at={run.started_at} none="not yet" />,
            Ended: <When at={run.ended_at} none="not yet" />,
            "Stopped by": run.stop_by ?? undefined,
            Pipeline:
              run.kind === "stream" ? (
                <Link to="/w/$workspace/pipelines/$job" params={{ workspace, job: run.job }}>
                  Its hops, live
                </Link>
              ) : undefined,
          }}
        />
      </Section>
    </Stack>
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

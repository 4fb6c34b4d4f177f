import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Definition, Job } from "@/api/types";
import { RunsInShort } from "@/pages/home/RunsInShort";
import { CodeView } from "@/parts/code";
import { KeyValue } from "@/parts/KeyValue";
import { Section } from "@/parts/Section";
import { STATES } from "@/parts/states";
import { duration, exactly } from "@/parts/times";
import { timesQuery } from "../queries";
import { inWords } from "../schedules";
import { Parameters } from "./Parameters";

type Props = { job: Job; workspace: string };

export function JobOverview({ job, workspace }: Props) {
  const { definition } = job;
  return (
    <Stack gap="md">
      <Section title="When it runs">
        <KeyValue
          entries={{
            Schedule: definition.schedule ? inWords(definition.schedule) : "On demand",
            ...rules(definition),
            Pipeline: ["pipeline", "stream"].includes(definition.kind) ? (
              <Link to="/w/$workspace/pipelines/$job" params={{ workspace, job: job.name }}>
                How it fares
              </Link>
            ) : undefined,
          }}
        />
        {definition.schedule && <NextTimes job={job} schedule={definition.schedule} />}
      </Section>
      <What definition={definition} />
      {definition.parameters && definition.parameters.length > 0 && (
        <Section title="Parameters" flush>
          <Parameters parameters={definition.parameters} />
        </Section>
      )}
      <RunsInShort
        workspace={workspace}
        title="Last runs"
        states={[...STATES]}
        job={job.name}
        none="It has not run yet."
      />
    </Stack>
  );
}

function NextTimes({ job, schedule }: { job: Job; schedule: { cron: string; timezone: string } }) {
  const { data } = useQuery({ ...timesQuery(schedule), enabled: !job.paused });
  if (job.paused) {
    return (
      <Text size="sm" mt="sm">
        It is paused: its schedule starts nothing until somebody resumes it.
      </Text>
    );
  }
  return (
    <Text size="sm" mt="sm" c="dimmed" mih={20}>
      Next:{" "}
      {data
        ?.slice(0, 3)
        .map((time) => exactly(new Date(time)))
        .join(" · ")}
    </Text>
  );
}

function What({ definition: { kind, spec } }: { definition: Definition }) {
  const [language, text] = mainText(kind, spec);
  if (!text) return null;
  return (
    <Section title="What it does" flush>
      <CodeView bare label="What it does" language={language} value={text.trimEnd()} />
    </Section>
  );
}

function mainText(kind: string, spec: Record<string, unknown>): ["sql" | "python", string | undefined] {
  const text = kind === "sql" ? spec.sql : spec.code;
  return [kind === "sql" ? "sql" : "python", typeof text === "string" ? text : undefined];
}

function rules({ kind, retries, timeout_seconds, concurrency }: Definition) {
  // What goes on for ever is neither ended by a workspace's timeout nor waited for.
  const stream = kind === "stream";
  const otherwise = stream && concurrency?.otherwise === "queue" ? "skip" : concurrency?.otherwise;
  return {
    Retries: retries
      ? `${retries.count}, the first after ${retries.delay_seconds} s`
      : "as the workspace says",
    Timeout: timeout_seconds ? duration(timeout_seconds * 1000) : stream ? "none" : "as the workspace says",
    "At once": concurrency ? `${concurrency.most}; one too many: ${otherwise}` : undefined,
  };
}

import { Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Stream } from "@/api/types";
import { count } from "@/parts/amounts";
import { EmptyState } from "@/parts/EmptyState";
import { Section } from "@/parts/Section";
import { wentWrong } from "@/parts/states";
import { Duration, When } from "@/parts/When";
import type { PartProps } from "../pipeline/parts";
import { Alerts } from "./Alerts";
import { Hops } from "./Hops";
import classes from "./Stream.module.css";
import { isAtWork, isUnderWay, silence } from "./status";
import { useStatus } from "./useStatus";

/** How a stream fares now, hop by hop. */
export function Live({ pipeline: { stream, job }, standing, workspace }: PartProps) {
  const { status, history } = useStatus(workspace, stream);
  const open = standing?.open ?? 0;
  const silent = silence(stream);
  return (
    <Stack gap="md">
      <div>
        <Alerts alerts={isAtWork(stream) && !silent && status ? status.alerts : []} />
        <Section
          title="The way of an event"
          actions={stream && <About stream={stream} workspace={workspace} />}
        >
          {stream?.error && wasWrong(stream) && <p className={classes.error}>{stream.error}</p>}
          {silent && (
            <p className={classes.error} role="status">
              {silent}
            </p>
          )}
          {status ? <Hops status={status} stream={stream} history={history} /> : <Nothing stream={stream} />}
        </Section>
      </div>
      {status && (
        <Text size="sm" c="dimmed">
          {status.rejected === 0
            ? "No event was"
            : `${count(status.rejected)} ${status.rejected === 1 ? "event was" : "events were"}`}{" "}
          rejected since it began
          {open > 0 && (
            <>
              {", and "}
              <Link
                to="/w/$workspace/pipelines/$job"
                params={{ workspace, job }}
                search={{ tab: "rejects" }}
                className={classes.bad}
              >
                {count(open)} {open === 1 ? "reject waits" : "rejects wait"}
              </Link>
              {" for somebody"}
            </>
          )}
          .
        </Text>
      )}
    </Stack>
  );
}

/** One that waits for its next try says why it needs one. */
function wasWrong({ state }: Stream): boolean {
  return state === "pending" || wentWrong(state);
}

function Nothing({ stream }: { stream: Stream | null }) {
  if (isUnderWay(stream) && !isAtWork(stream))
    return (
      <EmptyState title="It waits to be begun">Its hops are shown as soon as a worker has it.</EmptyState>
    );
  if (isAtWork(stream))
    return <EmptyState title="It is starting">Its hops are shown as soon as it tells of them.</EmptyState>;
  if (stream) return <EmptyState title="It told nothing before it ended">Its log says why.</EmptyState>;
  return (
    <EmptyState title="It was never started">Start it, and see here what goes over each hop.</EmptyState>
  );
}

function About({ stream, workspace }: { stream: Stream; workspace: string }) {
  const { run_id: run, attempt } = stream;
  return (
    <Text size="sm" c="dimmed" component="div">
      <SinceWhen stream={stream} />
      {attempt > 1 && ` · attempt ${attempt}`} ·{" "}
      <Link to="/w/$workspace/runs/$run" params={{ workspace, run }} search={{ tab: "log" }}>
        Its log
      </Link>
    </Text>
  );
}

function SinceWhen({ stream }: { stream: Stream }) {
  const { state, status, started_at, ended_at, attempt, stop_by } = stream;
  if (isAtWork(stream))
    return (
      <>
        {stop_by === null ? "up " : "stopping, up "}
        <Duration from={started_at} />
      </>
    );
  if (isUnderWay(stream))
    return (
      <>
        {attempt > 0 ? "waits for its next try" : "waits to be begun"}
        {status && (
          <>
            ; its last figures came <When at={status.at} />
          </>
        )}
      </>
    );
  return (
    <>
      {state} <When at={ended_at} none="" />
      {stop_by && ` by ${stop_by}`}; these are its last figures
    </>
  );
}

import { Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Stream } from "@/api/types";
import { count } from "@/parts/amounts";
import { useNow } from "@/parts/clock";
import { EmptyState } from "@/parts/EmptyState";
import { Section } from "@/parts/Section";
import { wentWrong } from "@/parts/states";
import { duration } from "@/parts/times";
import { Duration, When } from "@/parts/When";
import type { PartProps } from "../pipeline/parts";
import { Alerts } from "./Alerts";
import { Hops } from "./Hops";
import classes from "./Stream.module.css";
import { isUnderWay } from "./status";
import { useStatus } from "./useStatus";

// It tells once a second; clocks of browsers differ by some.
const SILENT_MS = 30_000;

/** How a stream fares now, hop by hop. */
export function Live({ pipeline: { stream, job }, standing, workspace }: PartProps) {
  const { status, history } = useStatus(workspace, stream);
  const open = standing?.open ?? 0;
  return (
    <Stack gap="md">
      <div>
        <Alerts alerts={isUnderWay(stream) && status ? status.alerts : []} />
        <Section
          title="The way of an event"
          actions={stream && <About stream={stream} workspace={workspace} />}
        >
          {stream?.error && wasWrong(stream) && <p className={classes.error}>{stream.error}</p>}
          {status && isUnderWay(stream) && <Silence at={status.at} />}
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

/** Figures that nobody renews are no longer how it fares. */
function Silence({ at }: { at: string }) {
  const silent = useNow().getTime() - Date.parse(at);
  if (silent < SILENT_MS) return null;
  return (
    <p className={classes.error} role="status">
      It has told nothing for {duration(silent)}: these figures are as old as that.
    </p>
  );
}

function Nothing({ stream }: { stream: Stream | null }) {
  if (isUnderWay(stream))
    return <EmptyState title="It is starting">Its hops are shown as soon as it tells of them.</EmptyState>;
  if (stream) return <EmptyState title="It told nothing before it ended">Its log says why.</EmptyState>;
  return (
    <EmptyState title="It was never started">Start it, and see here what goes over each hop.</EmptyState>
  );
}

function About({ stream, workspace }: { stream: Stream; workspace: string }) {
  const { run_id: run, state, started_at, ended_at, attempt, stop_by } = stream;
  return (
    <Text size="sm" c="dimmed" component="div">
      {isUnderWay(stream) ? (
        <>
          {stop_by === null ? "up " : "stopping, up "}
          <Duration from={started_at} />
        </>
      ) : (
        <>
          {state} <When at={ended_at} none="" />
          {stop_by && ` by ${stop_by}`}; these are its last figures
        </>
      )}
      {attempt > 1 && ` · attempt ${attempt}`} ·{" "}
      <Link to="/w/$workspace/runs/$run" params={{ workspace, run }} search={{ tab: "log" }}>
        Its log
      </Link>
    </Text>
  );
}

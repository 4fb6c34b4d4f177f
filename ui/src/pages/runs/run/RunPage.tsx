import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunInFull } from "@/api/types";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { StateBadge } from "@/parts/StateBadge";
import { isOver } from "@/parts/states";
import { UrlTabs } from "@/parts/UrlTabs";
import { Duration, When } from "@/parts/When";
import { Words } from "@/parts/Words";
import { startedBy } from "../list/columns";
import { RunLog } from "../log/RunLog";
import { TaskLogs } from "../log/TaskLogs";
import { runQuery } from "../queries";
import { RunResult } from "../result/RunResult";
import { runRoute } from "../routes";
import { Overview } from "./Overview";
import { RunActions } from "./RunActions";
import { RunFailure } from "./RunFailure";

export function RunPage() {
  const { workspace, run: id } = runRoute.useParams();
  const { data: run, error } = useQuery(runQuery(workspace, id));
  if (!run) {
    return (
      <Page title={error ? "This run cannot be shown" : `Run ${id.slice(-8)}`}>
        {error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}
      </Page>
    );
  }
  return (
    <Page
      title={run.task ? `${run.job} · ${run.task}` : run.job || "Query"}
      beside={<StateBadge state={run.state} />}
      about={<About run={run} workspace={workspace} />}
      actions={<RunActions run={run} workspace={workspace} />}
    >
      <RunFailure run={run} />
      {run.waits_for && (
        <Text size="sm" role="status">
          <Words>{run.waits_for}</Words>
        </Text>
      )}
      <Tabs run={run} workspace={workspace} />
    </Page>
  );
}

function Tabs({ run, workspace }: { run: RunInFull; workspace: string }) {
  const { tab = "overview" } = runRoute.useSearch();
  const tabs = [
    { value: "overview", label: "Overview" },
    { value: "log", label: "Log" },
    ...(run.result ? [{ value: "result", label: "Result", count: Number(run.result.rows ?? 0) }] : []),
  ];
  return (
    <>
      <UrlTabs label="Parts of the run" tabs={tabs} current={tab} />
      {tab === "overview" && <Overview run={run} workspace={workspace} />}
      {tab === "log" && run.kind === "flow" && <TaskLogs run={run} workspace={workspace} />}
      {tab === "log" && run.kind !== "flow" && <RunLog run={run} workspace={workspace} />}
      {tab === "result" && run.result && <RunResult key={run.id} run={run.id} workspace={workspace} tall />}
    </>
  );
}

function About({ run, workspace }: { run: RunInFull; workspace: string }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      <span className="mono">{run.id}</span> ·{" "}
      {run.job ? <OfJob run={run} workspace={workspace} /> : run.kind} · started by {startedBy(run)}{" "}
      <When at={run.created_at} /> · <Lasted run={run} />
      {run.flow_id && (
        <>
          {" · a task of "}
          <Link to="/w/$workspace/runs/$run" params={{ workspace, run: run.flow_id }}>
            this run of its flow
          </Link>
        </>
      )}
    </Text>
  );
}

/** Of a run that is not over nobody knows how long it takes. */
function Lasted({ run: { state, created_at, available_at, started_at, ended_at } }: { run: RunInFull }) {
  if (isOver(state))
    return started_at ? (
      <>
        took <Duration from={started_at} to={ended_at} />
      </>
    ) : (
      "never began"
    );
  if (state === "pending" && new Date(available_at) > new Date()) return "waiting for its next try";
  return (
    <>
      {state === "pending" ? "waiting for " : "running for "}
      {/* A run that is tried again waits since it may. */}
      <Duration from={state === "pending" ? available_at : (started_at ?? created_at)} />
    </>
  );
}

function OfJob({ run, workspace }: { run: RunInFull; workspace: string }) {
  return (
    <Link to="/w/$workspace/jobs/$job" params={{ workspace, job: run.job }} className="quiet-link">
      {run.kind} job, version {run.version}
    </Link>
  );
}

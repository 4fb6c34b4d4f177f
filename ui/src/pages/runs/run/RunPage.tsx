import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunInFull } from "@/api/types";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { StateBadge } from "@/parts/StateBadge";
import { UrlTabs } from "@/parts/UrlTabs";
import { Duration, When } from "@/parts/When";
import { startedBy } from "../list/columns";
import { RunLog } from "../log/RunLog";
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
      <Page title={`Run ${id.slice(-8)}`}>
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
      {tab === "log" && <RunLog run={run} workspace={workspace} />}
      {tab === "result" && run.result && <RunResult key={run.id} run={run.id} workspace={workspace} tall />}
    </>
  );
}

function About({ run, workspace }: { run: RunInFull; workspace: string }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      <span className="mono">{run.id}</span> ·{" "}
      {run.job ? <OfJob run={run} workspace={workspace} /> : run.kind} · started by {startedBy(run)}{" "}
      <When at={run.created_at} /> · took <Duration from={run.started_at} to={run.ended_at} />
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

function OfJob({ run, workspace }: { run: RunInFull; workspace: string }) {
  return (
    <Link to="/w/$workspace/jobs/$job" params={{ workspace, job: run.job }} className="quiet-link">
      {run.kind} job, version {run.version}
    </Link>
  );
}

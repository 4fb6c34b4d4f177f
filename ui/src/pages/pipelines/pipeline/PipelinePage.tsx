import { Badge, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Pipeline } from "@/api/types";
import { JobActions } from "@/pages/jobs/job/JobActions";
import { jobQuery } from "@/pages/jobs/queries";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { StateBadge } from "@/parts/StateBadge";
import { UrlTabs } from "@/parts/UrlTabs";
import { pipelineQuery, standingQuery } from "../queries";
import { pipelineRoute } from "../routes";
import { StreamButtons } from "../stream/StreamButtons";
import { partsOf } from "./parts";

export function PipelinePage() {
  const { workspace, job: name } = pipelineRoute.useParams();
  const { tab } = pipelineRoute.useSearch();
  const { data: pipeline, error } = useQuery(pipelineQuery(workspace, name));
  const { data: job, error: jobError } = useQuery(jobQuery(workspace, name));
  const known = pipeline !== undefined && pipeline.table !== null;
  const { data: standing } = useQuery({ ...standingQuery(workspace, name), enabled: known });
  if (!pipeline || !job) {
    const problem = error ?? jobError;
    return (
      <Page title={name}>{problem ? <ProblemNote problem={problem} /> : <Skeleton height={320} />}</Page>
    );
  }
  const parts = partsOf(job);
  const shown = parts.find((part) => part.value === tab) ?? parts[0];
  const Body = shown?.body;
  const last = pipeline.kind === "stream" ? pipeline.stream : pipeline.lately[0];
  return (
    <Page
      title={pipeline.job}
      beside={
        <>
          {last && <StateBadge state={last.state} />}
          {pipeline.paused && <Badge variant="outline">paused</Badge>}
        </>
      }
      about={pipeline.description || inWords(pipeline)}
      actions={
        <JobActions
          job={job}
          workspace={workspace}
          running={
            pipeline.kind === "stream" ? (
              <StreamButtons job={job} stream={pipeline.stream} workspace={workspace} />
            ) : undefined
          }
        />
      }
      whole={shown?.whole}
    >
      <UrlTabs
        label="Parts of the pipeline"
        tabs={parts.map(({ value, label, count }) => ({
          value,
          label,
          count: standing && count?.(standing),
        }))}
        current={shown?.value ?? ""}
      />
      {Body && <Body pipeline={pipeline} job={job} standing={standing} workspace={workspace} />}
    </Page>
  );
}

function inWords({ kind, format, table }: Pipeline): string {
  const into = `into ${table ?? "a table"}`;
  return kind === "stream"
    ? `Follows ${format ?? "a stream"} ${into}`
    : `Loads ${format ?? ""} files ${into}`;
}

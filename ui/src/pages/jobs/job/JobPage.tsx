import { Badge, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Job } from "@/api/types";
import { CodeView } from "@/parts/code";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { UrlTabs } from "@/parts/UrlTabs";
import { toYaml } from "../definition";
import { jobQuery } from "../queries";
import { jobIndexRoute } from "../routes";
import { JobActions } from "./JobActions";
import { JobOverview } from "./JobOverview";
import { JobRuns } from "./JobRuns";
import { Versions } from "./Versions";

const TABS = [
  { value: "overview", label: "Overview" },
  { value: "runs", label: "Runs" },
  { value: "definition", label: "Definition" },
];

export function JobPage() {
  const { workspace, job: name } = jobIndexRoute.useParams();
  const { tab = "overview" } = jobIndexRoute.useSearch();
  const { data: job, error } = useQuery(jobQuery(workspace, name));
  if (!job)
    return <Page title={name}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  return (
    <Page
      title={job.name}
      beside={job.paused && <Badge variant="outline">paused</Badge>}
      about={job.definition.description || `${job.definition.kind} job`}
      actions={<JobActions job={job} workspace={workspace} />}
      whole={tab === "runs"}
    >
      <UrlTabs
        label="Parts of the job"
        tabs={[...TABS, { value: "versions", label: "Versions", count: job.version }]}
        current={tab}
      />
      <Tab tab={tab} job={job} workspace={workspace} />
    </Page>
  );
}

function Tab({ tab, job, workspace }: { tab: string; job: Job; workspace: string }) {
  if (tab === "runs") return <JobRuns job={job} workspace={workspace} />;
  if (tab === "versions") return <Versions job={job} workspace={workspace} />;
  if (tab === "definition")
    return <CodeView label={`Definition of ${job.name}`} language="yaml" value={toYaml(job)} />;
  return <JobOverview job={job} workspace={workspace} />;
}

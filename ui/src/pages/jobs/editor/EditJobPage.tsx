import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { jobQuery } from "../queries";
import { editJobRoute } from "../routes";
import { JobEditor } from "./JobEditor";

export function EditJobPage() {
  const { workspace, job: name } = editJobRoute.useParams();
  const { tab = "form" } = editJobRoute.useSearch();
  // Asked once: what somebody else saves meanwhile must not replace what is being written.
  const { data: job, error } = useQuery({
    ...jobQuery(workspace, name),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const title = `Edit ${name}`;
  if (!job)
    return <Page title={title}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  return <JobEditor key={job.version} workspace={workspace} title={title} first={job} tab={tab} />;
}

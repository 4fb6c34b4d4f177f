import { JobRuns } from "@/pages/jobs/job/JobRuns";
import type { PartProps } from "../pipeline/parts";

export function StreamRuns({ job, workspace }: PartProps) {
  return <JobRuns job={job} workspace={workspace} />;
}

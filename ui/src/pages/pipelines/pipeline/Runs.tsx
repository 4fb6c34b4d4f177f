import { JobRuns } from "@/pages/jobs/job/JobRuns";
import type { PartProps } from "./parts";

export function Runs({ job, workspace }: PartProps) {
  return <JobRuns job={job} workspace={workspace} />;
}

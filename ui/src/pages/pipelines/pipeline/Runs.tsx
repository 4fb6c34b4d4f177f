import type { Run } from "@/api/types";
import { JobRuns } from "@/pages/jobs/job/JobRuns";
import type { Column } from "@/parts/list/columns";
import { count, type Report } from "../figures";
import type { PartProps } from "./parts";

export function Runs({ job, workspace }: PartProps) {
  return <JobRuns job={job} workspace={workspace} more={FIGURES} />;
}

const FIGURES: readonly Column<Run>[] = [
  {
    id: "did",
    title: "Did",
    width: "56px",
    wide: true,
    cell: ({ report }) => (report as Report | null)?.kind,
  },
  figure("rows_in", "Rows in"),
  figure("rows_written", "Written"),
  figure("rows_quarantined", "Rejected"),
];

function figure(name: "rows_in" | "rows_written" | "rows_quarantined", title: string): Column<Run> {
  const cell = ({ report }: Run) => count((report as Report | null)?.[name]);
  return { id: name, title, width: "68px", wide: true, align: "right", cell };
}

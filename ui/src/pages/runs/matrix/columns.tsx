import { Link } from "@tanstack/react-router";
import type { JobsRuns, State } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { duration } from "@/parts/times";
import { When } from "@/parts/When";
import { successes, typicalLength } from "./figures";
import classes from "./RunMatrix.module.css";
import { Strip } from "./Strip";

export function columns(workspace: string, vivid: readonly State[]): Column<JobsRuns>[] {
  return [
    {
      id: "job",
      title: "Job",
      width: "minmax(96px, 1fr)",
      cell: ({ job }) => (
        <Link
          to="/w/$workspace/jobs/$job"
          params={{ workspace, job }}
          className={classes.job}
          preload={false}
        >
          {job}
        </Link>
      ),
    },
    {
      id: "runs",
      title: "Last runs",
      width: "minmax(150px, 460px)",
      cell: (row) => <Strip row={row} workspace={workspace} vivid={vivid} />,
    },
    {
      id: "well",
      title: "Succeeded",
      width: "84px",
      align: "right",
      wide: true,
      cell: ({ runs }) => successes(runs),
    },
    {
      id: "length",
      title: "Typically",
      width: "88px",
      align: "right",
      wide: true,
      cell: ({ runs }) => {
        const length = typicalLength(runs);
        return length === undefined ? "–" : duration(length);
      },
    },
    {
      id: "last",
      title: "Last",
      width: "96px",
      align: "right",
      wide: true,
      cell: ({ runs }) => <When at={runs[0]?.created_at} none="–" />,
    },
  ];
}

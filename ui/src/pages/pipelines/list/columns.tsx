import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Pipeline, Standing } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { StateBadge } from "@/parts/StateBadge";
import { When } from "@/parts/When";
import { count, reportOf } from "../figures";
import { standingQuery } from "../queries";
import classes from "./PipelinesPage.module.css";
import { RowsLately } from "./RowsLately";

export function columns(workspace: string): Column<Pipeline>[] {
  return [
    {
      id: "name",
      title: "Pipeline",
      width: "minmax(110px, 1.2fr)",
      cell: ({ job }) => (
        <RowLink to="/w/$workspace/pipelines/$job" params={{ workspace, job }} preload={false}>
          {job}
        </RowLink>
      ),
    },
    {
      id: "table",
      title: "Into",
      width: "minmax(120px, 1.5fr)",
      wide: true,
      cell: ({ table }) => (
        <span className="mono" title={table ?? "Its spec names none, or leaves it to a parameter"}>
          {table ?? "–"}
        </span>
      ),
    },
    {
      id: "state",
      title: "Last run",
      width: "112px",
      cell: ({ lately: [last] }) => (last ? <StateBadge state={last.state} /> : "never"),
    },
    {
      id: "lately",
      title: "Rows lately",
      width: "100px",
      wide: true,
      cell: ({ lately }) => <RowsLately runs={lately} />,
    },
    { id: "in", title: "Rows in", width: "74px", wide: true, align: "right", cell: figure("rows_in") },
    { id: "out", title: "Written", width: "74px", wide: true, align: "right", cell: figure("rows_written") },
    {
      id: "open",
      title: "Rejects",
      width: "78px",
      align: "right",
      cell: (one) => <Lake workspace={workspace} pipeline={one} tell={open} />,
    },
    {
      id: "fresh",
      title: "Table changed",
      width: "104px",
      wide: true,
      cell: (one) => <Lake workspace={workspace} pipeline={one} tell={changed} />,
    },
    {
      id: "next",
      title: "Next run",
      width: "92px",
      wide: true,
      cell: ({ due_at, paused }) => <When at={due_at} none={paused ? "paused" : "–"} />,
    },
  ];
}

/** Of the last run that told any. */
function figure(name: "rows_in" | "rows_written") {
  return ({ lately }: Pipeline) => count(reportOf(lately.find((run) => reportOf(run)))?.[name]);
}

type LakeProps = { workspace: string; pipeline: Pipeline; tell: (standing: Standing) => ReactNode };

/** What only the lake knows: asked for the rows that are in sight, and nobody waits for it. */
function Lake({ workspace, pipeline, tell }: LakeProps) {
  const asked = useQuery({ ...standingQuery(workspace, pipeline.job), enabled: pipeline.table !== null });
  if (pipeline.table === null || asked.error) return <span title={asked.error?.message}>–</span>;
  return asked.data ? tell(asked.data) : <Skeleton height={10} width={40} display="inline-block" />;
}

function open({ open: rejects }: Standing) {
  return <span className={rejects > 0 ? classes.rejects : undefined}>{count(rejects)}</span>;
}

function changed({ committed_at }: Standing) {
  return <When at={committed_at} none="–" />;
}

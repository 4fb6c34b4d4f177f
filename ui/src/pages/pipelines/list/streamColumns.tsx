import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Pipeline, Stream } from "@/api/types";
import { count } from "@/parts/amounts";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { StateBadge } from "@/parts/StateBadge";
import { isOver } from "@/parts/states";
import { Duration, When } from "@/parts/When";
import { inShort, isAtWork, rate } from "../stream/status";
import classes from "./PipelinesPage.module.css";

/** Of streams: not what their runs did, but how they fare. */
export function streamColumns(workspace: string): Column<Pipeline>[] {
  return [
    {
      id: "name",
      title: "Pipeline",
      width: "minmax(80px, 1.2fr)",
      cell: (one) => (
        <>
          <RowLink to="/w/$workspace/pipelines/$job" params={{ workspace, job: one.job }} preload={false}>
            {one.job}
          </RowLink>
          <Alerts texts={inShort(one).alerts} />
        </>
      ),
    },
    {
      id: "table",
      title: "From and into",
      width: "minmax(120px, 1.5fr)",
      wide: true,
      cell: ({ format, table }) => `${format ?? "–"} → ${table ?? "–"}`,
    },
    {
      id: "state",
      title: "State",
      width: "104px",
      cell: ({ stream }) => (stream ? <StateBadge state={stream.state} /> : "never"),
    },
    {
      id: "up",
      title: "Since",
      width: "92px",
      wide: true,
      cell: ({ stream }) => <Since stream={stream} />,
    },
    {
      id: "rate",
      title: "Events/s",
      width: "66px",
      align: "right",
      cell: (one) => figure(inShort(one).rate, rate),
    },
    {
      id: "aim",
      title: "Aim",
      width: "74px",
      wide: true,
      align: "right",
      cell: (one) => count(inShort(one).status?.aims.events_per_second),
    },
    {
      id: "lag",
      title: "Lag",
      width: "74px",
      wide: true,
      align: "right",
      cell: (one) => <Aged of={one}>{figure(inShort(one).lag, count)}</Aged>,
    },
    {
      id: "freshness",
      title: "Behind",
      width: "66px",
      align: "right",
      cell: (one) => <Aged of={one}>{inShort(one).behind}</Aged>,
    },
    {
      id: "rejected",
      title: "Rejected",
      width: "78px",
      wide: true,
      align: "right",
      cell: (one) => <Aged of={one}>{count(inShort(one).status?.rejected)}</Aged>,
    },
  ];
}

function Since({ stream }: { stream: Stream | null }): ReactNode {
  if (!stream) return "–";
  if (isOver(stream.state)) return <When at={stream.ended_at} none="–" />;
  if (!isAtWork(stream)) return "–";
  return <Duration from={stream.started_at} />;
}

/** What was so when it spoke last. */
function Aged({ of, children }: { of: Pipeline; children: ReactNode }) {
  const { silent } = inShort(of);
  return silent ? (
    <span className={classes.old} title={silent}>
      {children}
    </span>
  ) : (
    children
  );
}

function figure(value: number | undefined, told: (value: number) => string): string {
  return value === undefined ? "–" : told(value);
}

function Alerts({ texts }: { texts: readonly string[] }): ReactNode {
  if (texts.length === 0) return null;
  const told = texts.join(" ");
  return <IconAlertTriangle size={14} className={classes.alert} role="img" aria-label={told} title={told} />;
}

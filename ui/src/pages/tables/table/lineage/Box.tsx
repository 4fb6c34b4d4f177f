import { type Icon, IconClipboardList, IconMessageQuestion, IconTable } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { LineageNode } from "@/api/types";
import classes from "./Lineage.module.css";
import { BOX, type Placed } from "./layout";

const ICONS: Record<LineageNode["kind"], Icon> = {
  dataset: IconTable,
  job: IconClipboardList,
  queries: IconMessageQuestion,
};

type Props = { placed: Placed; focus: boolean; workspace: string };

/** A table or a job of the graph. What this workspace has leads there. */
export function Box({ placed: { node, x, y }, focus, workspace }: Props) {
  const Sign = ICONS[node.kind];
  const look = {
    className: classes.box,
    "data-kind": node.kind,
    "data-focus": focus || undefined,
    title: node.namespace ? `${node.namespace} ${node.name}` : node.name,
    style: { left: x, top: y, width: BOX.width, height: BOX.height },
  };
  const inside = (
    <>
      <Sign size={16} aria-hidden />
      <span>{node.kind === "queries" ? "Queries" : node.name}</span>
    </>
  );
  if (node.kind === "dataset" && node.registered && !focus)
    return (
      <Link
        {...look}
        to="/w/$workspace/tables/$name"
        params={{ workspace, name: node.name }}
        search={{ tab: "lineage" }}
        preload={false}
      >
        {inside}
      </Link>
    );
  if (node.kind === "job" && !node.namespace)
    return (
      <Link {...look} to="/w/$workspace/jobs/$job" params={{ workspace, job: node.name }} preload={false}>
        {inside}
      </Link>
    );
  return <div {...look}>{inside}</div>;
}

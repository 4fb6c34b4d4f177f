import { Badge, Checkbox, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Snapshot } from "@/api/types";
import { compact, count } from "@/parts/amounts";
import type { Column } from "@/parts/list/columns";
import { When } from "@/parts/When";
import { GraphCell, LANE } from "./GraphCell";
import { type GraphRow, width } from "./graph";
import classes from "./Snapshots.module.css";

// More lines beside each other than that say nothing to anybody.
const MOST_LANES = 10;

export type SnapshotRow = Snapshot & { graph: GraphRow };

type Options = {
  workspace: string;
  rows: readonly SnapshotRow[];
  chosen: readonly string[];
  onChoose: (id: string) => void;
  menu: (snapshot: Snapshot) => ReactNode;
};

export function columns({ workspace, rows, chosen, onChoose, menu }: Options): Column<SnapshotRow>[] {
  const lanes = Math.min(width(rows.map((row) => row.graph)), MOST_LANES);
  return [
    {
      id: "graph",
      title: "Graph",
      unseen: true,
      width: `${lanes * LANE + 4}px`,
      cell: (row) => <GraphCell row={row.graph} lanes={lanes} current={row.current} />,
    },
    {
      id: "choose",
      title: "Compare",
      unseen: true,
      width: "20px",
      cell: (row) => (
        <Checkbox
          size="xs"
          aria-label={`Compare snapshot ${row.id}`}
          checked={chosen.includes(row.id)}
          onChange={() => onChoose(row.id)}
        />
      ),
    },
    { id: "at", title: "Committed", width: "minmax(68px, 92px)", cell: (row) => <When at={row.at} /> },
    { id: "operation", title: "Operation", width: "minmax(54px, 84px)", cell: (row) => row.operation ?? "–" },
    {
      id: "rows",
      title: "Rows",
      width: "minmax(56px, 110px)",
      align: "right",
      cell: (row) => <PlusMinus added={row.added_rows} deleted={row.deleted_rows} />,
    },
    {
      id: "files",
      title: "Files",
      width: "92px",
      align: "right",
      wide: true,
      cell: (row) => (
        <PlusMinus added={row.added_files + row.added_delete_files} deleted={row.deleted_files} />
      ),
    },
    {
      id: "total",
      title: "Rows in all",
      width: "88px",
      align: "right",
      wide: true,
      cell: (row) => <span title={count(row.total_rows)}>{compact(row.total_rows)}</span>,
    },
    {
      id: "by",
      title: "Written by",
      width: "minmax(90px, 1fr)",
      wide: true,
      cell: (row) => <Writer snapshot={row} workspace={workspace} />,
    },
    {
      id: "id",
      title: "Snapshot",
      width: "minmax(150px, 1.4fr)",
      wide: true,
      cell: (row) => <Named row={row} />,
    },
    { id: "menu", title: "More", unseen: true, width: "30px", cell: menu },
  ];
}

function PlusMinus({ added, deleted }: { added: number; deleted: number }) {
  if (added === 0 && deleted === 0) return <span aria-hidden>–</span>;
  return (
    <span title={`${count(added)} added, ${count(deleted)} removed`}>
      {added > 0 && <span className={classes.plus}>+{compact(added)}</span>}{" "}
      {deleted > 0 && <span className={classes.minus}>−{compact(deleted)}</span>}
    </span>
  );
}

function Writer({ snapshot, workspace }: { snapshot: Snapshot; workspace: string }) {
  if (!snapshot.run) return <span title={snapshot.engine ?? undefined}>{snapshot.engine ?? "–"}</span>;
  return (
    <Link
      to="/w/$workspace/runs/$run"
      params={{ workspace, run: snapshot.run.id }}
      preload={false}
      className="quiet-link"
    >
      {snapshot.run.job || "a query"}
    </Link>
  );
}

function Named({ row }: { row: SnapshotRow }) {
  return (
    <Group gap={6} wrap="nowrap">
      <span className="mono" title={row.id}>
        {row.id.length > 10 ? `…${row.id.slice(-8)}` : row.id}
      </span>
      {row.refs.map((ref) => (
        <Badge
          key={ref}
          size="sm"
          variant={ref.startsWith("tag ") ? "outline" : "light"}
          tt="none"
          title={ref}
        >
          {ref.replace(/^(branch|tag) /, "")}
        </Badge>
      ))}
      {!row.ancestor && (
        <Badge size="sm" variant="default" tt="none" title="The current snapshot does not go back to it">
          aside
        </Badge>
      )}
    </Group>
  );
}

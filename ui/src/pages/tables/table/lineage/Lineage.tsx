import { SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { LineageGraph } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { When } from "@/parts/When";
import { lineageQuery } from "../../queries";
import type { PartProps } from "../TablePage";
import { Box } from "./Box";
import classes from "./Lineage.module.css";
import { laidOut } from "./layout";

const DEPTHS = [1, 2, 3, 5];

/** Which jobs read and write the table, and what those read and write. */
export function Lineage({ dataset: { name }, workspace }: PartProps) {
  const [depth, setDepth] = useState(2);
  const { data: graph, error } = useQuery(lineageQuery(workspace, name, depth));
  const alone = graph?.edges.length === 0;
  return (
    <Stack gap="md">
      <Section
        title="Where it comes from, and what is made of it"
        flush
        actions={<Depth depth={depth} onChange={setDepth} />}
      >
        {error && <ProblemNote problem={error} />}
        {!graph && !error && <Skeleton height={200} m="md" />}
        {graph && alone && (
          <EmptyState title="No job has told of it yet">
            A run that succeeds tells what it read and wrote. Programs say it by <code>reads</code> and{" "}
            <code>writes</code> in their job; others send OpenLineage.
          </EmptyState>
        )}
        {graph && !alone && <Graph graph={graph} name={name} workspace={workspace} />}
      </Section>
      {graph && !alone && <Edges graph={graph} workspace={workspace} />}
      {graph && !graph.complete && <Text size="sm">There is more of it than is shown at once.</Text>}
    </Stack>
  );
}

function Depth({ depth, onChange }: { depth: number; onChange: (depth: number) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="How many jobs away"
      data={DEPTHS.map((one) => ({ value: String(one), label: one === 1 ? "1 job away" : String(one) }))}
      value={String(depth)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}

function Graph({ graph, name, workspace }: { graph: LineageGraph; name: string; workspace: string }) {
  const focus = `dataset:${name}`;
  const { width, height, boxes, lines } = useMemo(() => laidOut(graph, focus), [graph, focus]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div className={classes.scroller} tabIndex={0} role="group" aria-label={`Lineage of ${name}`}>
      <div className={classes.graph} style={{ width, height }}>
        <svg className={classes.lines} width={width} height={height} aria-hidden>
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M 0 0 L 8 4 L 0 8" />
            </marker>
          </defs>
          {lines.map((line) => (
            <path key={line.id} d={line.path} markerEnd="url(#tip)" />
          ))}
        </svg>
        {boxes.map((placed) => (
          <Box key={placed.node.id} placed={placed} focus={placed.node.id === focus} workspace={workspace} />
        ))}
      </div>
    </div>
  );
}

type Edge = LineageGraph["edges"][number];

/** The same in words, with the run that last went each way. */
function Edges({ graph, workspace }: { graph: LineageGraph; workspace: string }) {
  const names = new Map(
    graph.nodes.map((node) => [node.id, node.kind === "queries" ? "Queries" : node.name]),
  );
  const columns: Column<Edge>[] = [
    { id: "from", title: "From", width: "minmax(90px, 1fr)", cell: (edge) => names.get(edge.source) },
    { id: "to", title: "To", width: "minmax(90px, 1fr)", cell: (edge) => names.get(edge.target) },
    { id: "at", title: "Last", width: "92px", cell: (edge) => <When at={edge.last_at} /> },
    {
      id: "run",
      title: "Last run",
      width: "100px",
      wide: true,
      cell: (edge) => edge.last_run && <RunLink run={edge.last_run} workspace={workspace} />,
    },
  ];
  return (
    <DataList
      label="Who read and wrote what"
      rows={graph.edges}
      columns={columns}
      rowKey={(edge) => `${edge.source} ${edge.target}`}
      empty={null}
    />
  );
}

function RunLink({ run, workspace }: { run: string; workspace: string }) {
  return (
    <Link to="/w/$workspace/runs/$run" params={{ workspace, run }} className="mono" preload={false}>
      {run.slice(-8)}
    </Link>
  );
}

import { useMemo } from "react";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { Section } from "@/parts/Section";
import { brokenByRule, count } from "../figures";
import classes from "./Expectations.module.css";
import type { Moved } from "./RowsChart";

type Broken = ReturnType<typeof brokenByRule>[number];
// As many as are told apart at a glance.
const MOST = 24;
const DONE: Record<string, string> = {
  quarantine: "kept as rejects",
  drop: "dropped",
  fail: "stops the load",
};

/** How many rows broke each rule, run by run. */
export function Expectations({ moved }: { moved: Moved }) {
  const rules = useMemo(() => moved && brokenByRule(moved.map(({ report }) => report)), [moved]);
  return (
    <Section title="Expectations over time" flush>
      <DataList
        bare
        label="Expectations"
        rows={rules}
        columns={COLUMNS}
        rowKey={({ rule }) => rule}
        expected={3}
        empty={
          <EmptyState title="No run has moved rows yet">
            What rows must be like, and how many were not, is told here for each run.
          </EmptyState>
        }
      />
    </Section>
  );
}

const COLUMNS: Column<Broken>[] = [
  {
    id: "rule",
    title: "A row",
    width: "minmax(130px, 2fr)",
    cell: ({ rule }) => (
      <span className="mono" title={rule}>
        {rule}
      </span>
    ),
  },
  { id: "action", title: "If not", width: "130px", wide: true, cell: ({ action }) => DONE[action] ?? action },
  { id: "over", title: "Broken, by run", width: "minmax(96px, 1.2fr)", cell: (one) => <Bars broken={one} /> },
  {
    id: "last",
    title: "Last run",
    width: "76px",
    align: "right",
    cell: ({ rows }) => count(rows.at(-1)),
  },
  {
    id: "all",
    title: "All",
    width: "76px",
    wide: true,
    align: "right",
    cell: ({ rows }) => count(rows.reduce((sum, one) => sum + one, 0)),
  },
];

function Bars({ broken: { rule, rows } }: { broken: Broken }) {
  const shown = rows.slice(-MOST);
  const most = Math.max(1, ...shown);
  const told = `${rule}: ${shown.map(count).join(", ")}`;
  return (
    <span className={classes.bars} role="img" aria-label={told} title={shown.map(count).join(", ")}>
      {shown.map((one, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
        <span key={place} data-broken={one > 0 || undefined} style={{ height: bar(one, most) }} />
      ))}
    </span>
  );
}

function bar(one: number, most: number): string {
  return one === 0 ? "2px" : `max(3px, ${(100 * one) / most}%)`;
}

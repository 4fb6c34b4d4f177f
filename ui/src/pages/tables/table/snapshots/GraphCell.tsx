import { ROW_HEIGHT } from "@/parts/list/columns";
import type { GraphRow } from "./graph";
import classes from "./Snapshots.module.css";

export const LANE = 14;
const MIDDLE = ROW_HEIGHT / 2;

/** A row's part of the graph: lines from above, past it and on, and its dot. */
export function GraphCell({ row, lanes, current }: { row: GraphRow; lanes: number; current: boolean }) {
  const x = at(row.lane);
  return (
    <svg width={lanes * LANE + 4} height={ROW_HEIGHT} className={classes.graph} aria-hidden>
      {row.by.map((lane) => (
        <line
          key={lane}
          x1={at(lane)}
          x2={at(lane)}
          y1={0}
          y2={ROW_HEIGHT + 1}
          data-lane={lane > 0 || undefined}
        />
      ))}
      {row.into.map((lane) => (
        <path key={lane} d={bend(at(lane), x)} data-lane={lane > 0 || undefined} />
      ))}
      {row.on && <line x1={x} x2={x} y1={MIDDLE} y2={ROW_HEIGHT + 1} data-lane={row.lane > 0 || undefined} />}
      <circle
        cx={x}
        cy={MIDDLE}
        r={current ? 5.5 : 4}
        data-current={current || undefined}
        data-lane={row.lane > 0 || undefined}
      />
    </svg>
  );
}

function at(lane: number): number {
  return lane * LANE + 8;
}

function bend(from: number, to: number): string {
  if (from === to) return `M ${from} 0 L ${to} ${MIDDLE}`;
  return `M ${from} 0 C ${from} ${MIDDLE} ${to} ${MIDDLE / 3} ${to} ${MIDDLE}`;
}

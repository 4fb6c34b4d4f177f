import type { VirtualItem } from "@tanstack/react-virtual";
import { cellText, type GridColumn } from "./columns";
import classes from "./Grid.module.css";
import { type Area, type Cell, holds } from "./selection";

// More of a cell would be cut off anyway, and long ones by the hundred make a browser slow.
const LONGEST = 300;

type Props = {
  id: string;
  row: number;
  start: number;
  width: number;
  /** Undefined as long as it is not known. */
  values: readonly unknown[] | undefined;
  columns: readonly GridColumn[];
  seen: readonly VirtualItem[];
  area: Area | undefined;
  at: Cell | undefined;
};

/** What a click hit is told by `data-row` and `data-column`: one listener serves all cells. */
export function GridRow({ id, row, start, width, values, columns, seen, area, at }: Props) {
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      className={classes.row}
      style={{ width, transform: `translateY(${start}px)` }}
    >
      <div role="rowheader" aria-colindex={1} className={classes.number} data-row={row}>
        {(row + 1).toLocaleString("en")}
      </div>
      {seen.map((item) => {
        const value = values?.[item.index];
        return (
          <div
            key={item.index}
            id={`${id}-${row}-${item.index}`}
            role="gridcell"
            aria-colindex={item.index + 2}
            aria-selected={area ? holds(area, row, item.index) : false}
            className={classes.cell}
            data-row={row}
            data-column={item.index}
            data-numeric={columns[item.index]?.numeric || undefined}
            data-null={(values && value === null) || undefined}
            data-selected={(area && holds(area, row, item.index)) || undefined}
            data-at={(at?.row === row && at.column === item.index) || undefined}
            style={{ left: item.start, width: item.size }}
          >
            {values ? cellText(value).slice(0, LONGEST) : <span className={classes.waiting} />}
          </div>
        );
      })}
    </div>
  );
}

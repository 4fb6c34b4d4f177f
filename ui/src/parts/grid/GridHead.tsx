import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { VirtualItem } from "@tanstack/react-virtual";
import type { GridColumn, GridSort } from "./columns";
import classes from "./Grid.module.css";
import type { Cell } from "./selection";

type Props = {
  id: string;
  columns: readonly GridColumn[];
  seen: readonly VirtualItem[];
  width: number;
  sort: GridSort | undefined;
  at: Cell | undefined;
  onSort: (column: number) => void;
  onAll: () => void;
};

export function GridHead({ id, columns, seen, width, sort, at, onSort, onAll }: Props) {
  return (
    <div role="row" aria-rowindex={1} className={classes.head} style={{ width }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Ctrl-A does the same. */}
      <div
        role="columnheader"
        aria-colindex={1}
        className={classes.corner}
        title="Select everything (Ctrl-A)"
        onClick={onAll}
      >
        #
      </div>
      {seen.map(({ index, start, size }) => {
        const column = columns[index];
        if (!column) return null;
        return (
          <div
            key={index}
            id={`${id}--1-${index}`}
            role="columnheader"
            aria-colindex={index + 2}
            aria-sort={direction(sort, index)}
            className={classes.title}
            data-numeric={column.numeric || undefined}
            data-at={(at?.row === -1 && at.column === index) || undefined}
            style={{ left: start, width: size }}
            title={`${column.name} · ${column.type}`}
          >
            <Sorter
              column={column}
              sort={sort?.by === index ? sort : undefined}
              onSort={() => onSort(index)}
            />
          </div>
        );
      })}
    </div>
  );
}

type SorterProps = { column: GridColumn; sort: GridSort | undefined; onSort: () => void };

// Not reached by Tab, for there may be a hundred: the grid's own keys lead to the head, and Enter sorts.
function Sorter({ column, sort, onSort }: SorterProps) {
  if (!column.sortable) {
    return (
      <span className={classes.sorter}>
        <span className={classes.name}>{column.name}</span>
      </span>
    );
  }
  const Sign = sort?.descending ? IconArrowDown : IconArrowUp;
  return (
    <button type="button" tabIndex={-1} className={classes.sorter} data-sortable onClick={onSort}>
      <span className={classes.name}>{column.name}</span>
      {sort && <Sign size={12} style={{ flex: "none" }} aria-hidden />}
    </button>
  );
}

function direction(sort: GridSort | undefined, index: number): "ascending" | "descending" | undefined {
  if (sort?.by !== index) return undefined;
  return sort.descending ? "descending" : "ascending";
}

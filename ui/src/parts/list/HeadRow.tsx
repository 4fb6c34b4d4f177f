import { VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type Column, type Sort, turned } from "./columns";
import classes from "./DataList.module.css";

type Props<Row> = {
  columns: readonly Column<Row>[];
  tracks: string;
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
};

export function HeadRow<Row>({ columns, tracks, sort, onSort }: Props<Row>) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: tracks }}>
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            data-align={column.align}
            aria-sort={direction(sort, column.id)}
          >
            {column.sortBy ? (
              <button
                type="button"
                className={classes.sorter}
                onClick={() => onSort(turned(sort, column.id))}
              >
                {column.title}
                {sort?.by === column.id &&
                  (sort.descending ? <IconArrowDown size={12} /> : <IconArrowUp size={12} />)}
              </button>
            ) : (
              <Title column={column} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function Title<Row>({ column }: { column: Column<Row> }) {
  return column.unseen ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title;
}

function direction(sort: Sort | undefined, id: string): "ascending" | "descending" | undefined {
  if (sort?.by !== id) return undefined;
  return sort.descending ? "descending" : "ascending";
}

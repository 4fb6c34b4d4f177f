import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, useEffect, useId, useRef, useState } from "react";
import {
  type GridColumn,
  type GridSort,
  HEAD_HEIGHT,
  NUMBERS_WIDTH,
  ROW_HEIGHT,
  turnedSort,
} from "./columns";
import classes from "./Grid.module.css";
import { GridHead } from "./GridHead";
import { GridRow } from "./GridRow";
import { type Area, areaOf, type Cell, everything, type Selection, type Size, wholeRow } from "./selection";
import { useGridKeys } from "./useGridKeys";

type Props = {
  label: string;
  columns: readonly GridColumn[];
  /** Of all rows, known or not. */
  count: number;
  rowAt: (row: number) => readonly unknown[] | undefined;
  /** Which rows come into sight, so that they can be fetched. */
  onSeen: (first: number, last: number) => void;
  sort: GridSort | undefined;
  onSort: (sort: GridSort | undefined) => void;
  onOpen: (cell: Cell) => void;
  onCopy: (area: Area) => void;
};

/** Rows and columns of values, of which only those in sight are drawn. Arrows move, Shift extends, Ctrl-C copies, Enter opens. */
export function Grid({ label, columns, count, rowAt, onSeen, sort, onSort, onOpen, onCopy }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState<Selection>();
  const down = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollPaddingStart: HEAD_HEIGHT,
    scrollPaddingEnd: ROW_HEIGHT,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => columns[index]?.width ?? 0,
    overscan: 3,
    paddingStart: NUMBERS_WIDTH,
    scrollPaddingStart: NUMBERS_WIDTH,
  });
  const rows = down.getVirtualItems();
  const seen = across.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => onSeen(first, last), [onSeen, first, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have other widths.
  useEffect(() => across.measure(), [columns, across]);
  const size: Size = { rows: count, columns: columns.length, page: Math.max(1, rows.length - 16) };
  const turn = (column: number) => columns[column]?.sortable && onSort(turnedSort(sort, column));
  const go = (next: Selection) => {
    setSelection(next);
    if (next.at.row >= 0) down.scrollToIndex(next.at.row);
    across.scrollToIndex(next.at.column);
  };
  const onKeyDown = useGridKeys({
    selection,
    size,
    go,
    turn,
    onOpen,
    onCopy,
    onClear: () => setSelection(undefined),
  });
  const area = selection && selection.at.row >= 0 ? areaOf(selection) : undefined;
  const inSight = selection && isDrawn(selection.at, rows, seen);
  const press = (event: MouseEvent) => {
    const found = cellOf(event.target);
    if (!found || event.button !== 0) return;
    if (found.column < 0) setSelection(wholeRow(found.row, size));
    else setSelection({ anchor: event.shiftKey && selection ? selection.anchor : found, at: found });
  };
  const drag = (event: MouseEvent) => {
    const found = event.buttons === 1 ? cellOf(event.target) : undefined;
    if (found && found.column >= 0 && selection) setSelection({ anchor: selection.anchor, at: found });
  };
  const open = (event: MouseEvent) => {
    const found = cellOf(event.target);
    if (found && found.column >= 0) onOpen(found);
  };
  const width = across.getTotalSize();
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-activedescendant={inSight ? `${id}-${selection.at.row}-${selection.at.column}` : undefined}
      className={classes.grid}
      onKeyDown={onKeyDown}
      onMouseDown={press}
      onMouseOver={drag}
      onFocus={() => undefined}
      onDoubleClick={open}
    >
      <GridHead
        id={id}
        columns={columns}
        seen={seen}
        width={width}
        sort={sort}
        at={selection?.at}
        onSort={turn}
        onAll={() => setSelection(everything(size))}
      />
      <div role="presentation" style={{ height: down.getTotalSize(), width, position: "relative" }}>
        {rows.map(({ index, start }) => (
          <GridRow
            key={index}
            id={id}
            row={index}
            start={start}
            width={width}
            values={rowAt(index)}
            columns={columns}
            seen={seen}
            area={area}
            at={selection?.at}
          />
        ))}
      </div>
    </div>
  );
}

function cellOf(target: EventTarget): Cell | undefined {
  const found = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  if (!found) return undefined;
  const { row, column } = found.dataset;
  return { row: Number(row), column: column === undefined ? -1 : Number(column) };
}

type Drawn = readonly { index: number }[];

function isDrawn(at: Cell, rows: Drawn, columns: Drawn): boolean {
  const row = at.row < 0 || rows.some(({ index }) => index === at.row);
  return row && columns.some(({ index }) => index === at.column);
}

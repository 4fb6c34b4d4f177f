import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { ROW_HEIGHT } from "./columns";
import classes from "./DataList.module.css";
import { ListRow, type RowsProps } from "./PlainRows";

const BEYOND = 12;

type Props<Row> = RowsProps<Row> & { onEnd?: () => void; foot?: ReactNode };

/** Only the rows that are in sight are drawn, however many there are. */
export function VirtualRows<Row>({ rows, columns, rowKey, tracks, onEnd, foot }: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: BEYOND,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 1) onEnd?.();
  }, [last, rows.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div ref={scroller} className={classes.scroller} role="rowgroup" tabIndex={0}>
      <div style={{ height: virtualizer.getTotalSize(), position: "relative" }} role="presentation">
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = { gridTemplateColumns: tracks, transform: `translateY(${start}px)` };
          return (
            <ListRow
              key={rowKey(row)}
              row={row}
              index={index}
              columns={columns}
              style={{ ...place, ...FIXED }}
            />
          );
        })}
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </div>
  );
}

const FIXED = { position: "absolute", top: 0, left: 0, right: 0 } as const;

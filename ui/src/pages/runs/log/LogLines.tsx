import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { runRoute } from "../routes";
import { LogLineView } from "./LogLineView";
import classes from "./RunLog.module.css";
import { lineOf, type Numbered } from "./searching";

const LINE = 19;

type Props = { lines: readonly Numbered[]; wanted: string; current: number | undefined; follows: boolean };

export function LogLines({ lines, wanted, current, follows }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const chosen = lineOf(useRouterState({ select: (state) => state.location.hash }));
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 30,
  });
  useEffect(() => {
    if (follows && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: "end" });
  }, [follows, lines.length, virtualizer]);
  useEffect(() => {
    if (current !== undefined) virtualizer.scrollToIndex(current, { align: "center" });
  }, [current, virtualizer]);
  const linked = chosen === undefined ? -1 : lines.findIndex(({ number }) => number === chosen);
  useEffect(() => {
    if (linked >= 0) virtualizer.scrollToIndex(linked, { align: "center" });
  }, [linked, virtualizer]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <div ref={scroller} className={classes.log} role="log" aria-live="off" aria-label="Log" tabIndex={0}>
      <div style={{ height: virtualizer.getTotalSize(), position: "relative" }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const one = lines[index];
          if (!one) return null;
          return (
            <LogLineView
              key={one.number}
              ref={virtualizer.measureElement}
              index={index}
              start={start}
              line={one}
              wanted={wanted}
              chosen={one.number === chosen}
              current={index === current}
              onChoose={() =>
                navigate({
                  from: runRoute.fullPath,
                  search: (before) => before,
                  hash: `L${one.number}`,
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          );
        })}
      </div>
    </div>
  );
}

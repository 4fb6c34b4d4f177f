import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { LOWEST } from "./desk";
import classes from "./Splitter.module.css";

const STEP = 24;
const HIGHEST = 900;

/** Between the text and what it returned: drawn by the mouse, moved by the arrows. */
export function Splitter({ height, onResize }: { height: number; onResize: (height: number) => void }) {
  const start = useRef<number>(null);
  const move = (event: PointerEvent) => {
    if (start.current !== null) onResize(Math.min(HIGHEST, event.clientY - start.current));
  };
  const press = (event: KeyboardEvent) => {
    const way = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    if (!way) return;
    event.preventDefault();
    onResize(Math.min(HIGHEST, height + way));
  };
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the editor"
      aria-valuenow={Math.round(height)}
      aria-valuemin={LOWEST}
      aria-valuemax={HIGHEST}
      tabIndex={0}
      className={classes.splitter}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = event.clientY - height;
      }}
      onPointerMove={move}
      onPointerUp={() => {
        start.current = null;
      }}
    />
  );
}

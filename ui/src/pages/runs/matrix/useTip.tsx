import { Portal } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import classes from "./RunMatrix.module.css";

type Shown = { text: string; state: string; x: number; y: number };
// As wide as the style sheet lets it be, so that it stays in the window.
const WIDEST = 320;

/** One tip for all of a thousand bars: what is under the pointer or has the focus says it in `data-tip`. */
export function useTip() {
  const [shown, setShown] = useState<Shown>();
  const look = (event: SyntheticEvent) => {
    const bar = (event.target as Element).closest<HTMLElement>("[data-tip]");
    if (!bar) return setShown(undefined);
    const { left, top, width } = bar.getBoundingClientRect();
    const half = Math.min(WIDEST, window.innerWidth - 16) / 2;
    const x = Math.min(Math.max(left + width / 2, half + 8), window.innerWidth - half - 8);
    setShown({ text: bar.dataset.tip ?? "", state: bar.dataset.state ?? "", x, y: top });
  };
  const forget = () => setShown(undefined);
  const tip = shown && (
    <Portal>
      <div
        className={classes.tip}
        style={{ left: shown.x, top: shown.y }}
        data-state={shown.state}
        aria-hidden
      >
        {shown.text}
      </div>
    </Portal>
  );
  return {
    tip,
    onMouseOver: look,
    onFocus: look,
    onMouseLeave: forget,
    onBlur: forget,
    onScrollCapture: forget,
  };
}

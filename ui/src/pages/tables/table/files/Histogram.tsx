import type { FileSizes } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import classes from "./Histogram.module.css";

/** How many files are how large. Those that are small are told by their colour, and in words beside it. */
export function Histogram({ sizes }: { sizes: FileSizes }) {
  const most = Math.max(...sizes.classes.map((one) => one.files), 1);
  const last = sizes.classes.findLastIndex((one) => one.files > 0);
  return (
    <ul className={classes.bars} aria-label="Files by size">
      {sizes.classes.slice(0, Math.max(last + 1, 4)).map((one) => (
        <li key={one.at_least} className={classes.class}>
          <span className={classes.range}>
            {one.below === null
              ? `${bytes(one.at_least)} or more`
              : `${bytes(one.at_least)} – ${bytes(one.below)}`}
          </span>
          <span className={classes.track} aria-hidden>
            <span
              className={classes.bar}
              data-small={(one.below ?? Number.POSITIVE_INFINITY) <= sizes.small_below || undefined}
              data-none={one.files === 0 || undefined}
              style={{ display: "block", width: `${(one.files / most) * 100}%` }}
            />
          </span>
          <span className={classes.count}>
            {one.files === 0 ? "none" : `${count(one.files)} · ${bytes(one.bytes)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

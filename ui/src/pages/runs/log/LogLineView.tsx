import type { Ref } from "react";
import { exactly } from "@/parts/times";
import classes from "./RunLog.module.css";
import { type Numbered, pieces } from "./searching";

type Props = {
  ref: Ref<HTMLDivElement>;
  index: number;
  start: number;
  line: Numbered;
  wanted: string;
  chosen: boolean;
  current: boolean;
  onChoose: () => void;
};

export function LogLineView({
  ref,
  index,
  start,
  line: { number, line },
  wanted,
  chosen,
  current,
  onChoose,
}: Props) {
  return (
    <div
      ref={ref}
      data-index={index}
      className={classes.line}
      data-stream={line.stream}
      data-chosen={chosen || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      <a
        className={classes.number}
        href={`#L${number}`}
        aria-label={`Line ${number}: link to it`}
        title={exactly(new Date(line.at))}
        onClick={(event) => {
          event.preventDefault();
          onChoose();
        }}
      >
        {number}
      </a>
      <span className={classes.text}>
        {pieces(line.text, wanted).map((piece, place) =>
          place % 2 === 1 ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line have no other name than their place.
            <mark key={place} data-current={current || undefined}>
              {piece}
            </mark>
          ) : (
            piece
          ),
        )}
      </span>
    </div>
  );
}

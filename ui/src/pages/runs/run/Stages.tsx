import { useState } from "react";
import type { Stage } from "@/api/types";
import { duration } from "@/parts/times";
import { type Bar, stageFigures } from "./bars";
import classes from "./Gantt.module.css";
import { Stretch } from "./Stretch";

// More would push what comes after them out of sight.
const FEW = 6;

type Props = { bar: Bar; now: number; place: (at: number | undefined) => number };

/** Spark's stages under what they were done for. Spark tells of them every half second, so they are no more exact. */
export function Stages({ bar, now, place }: Props) {
  const [all, setAll] = useState(false);
  const stages = bar.stages ?? [];
  const shown = all ? stages : stages.slice(0, FEW);
  const over = bar.to ? Date.parse(bar.to) : undefined;
  return (
    <ul className={classes.stages} aria-label={`Spark's stages of ${bar.label}`}>
      {shown.map((stage) => (
        <StageLine key={stage.id} stage={stage} end={stage.ended ?? over ?? now} place={place} />
      ))}
      {stages.length > FEW && (
        <li>
          <button type="button" className={classes.more} onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? "Fewer stages" : `${stages.length - FEW} more stages`}
          </button>
        </li>
      )}
    </ul>
  );
}

type LineProps = { stage: Stage; end: number; place: Props["place"] };

function StageLine({ stage, end, place }: LineProps) {
  const whole = stage.tasks_done >= stage.tasks;
  return (
    <li className={classes.line}>
      <span className={classes.stage}>Stage {stage.id}</span>
      <span className={classes.thin} aria-hidden>
        <Stretch
          className={classes.part}
          state={whole ? "whole" : "part"}
          from={place(stage.began)}
          to={place(end)}
        />
      </span>
      <span className={classes.took} title={stageFigures(stage)}>
        {duration(end - stage.began)}
      </span>
      <span className={classes.about}>{stageFigures(stage)}</span>
    </li>
  );
}

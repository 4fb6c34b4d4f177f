import { useState } from "react";
import type { Stage } from "@/api/types";
import { duration } from "@/parts/times";
import { type Bar, stageFigures, wasIdle } from "./bars";
import classes from "./Gantt.module.css";
import { Stretch } from "./Stretch";

// More would push what comes after them out of sight.
const FEW = 6;

type Props = { bar: Bar; now: number; place: (at: number | undefined) => number };

/** Spark's stages under what they were done for, each by what is made of it in the end. */
export function Stages({ bar, now, place }: Props) {
  const [all, setAll] = useState(false);
  const stages = bar.stages ?? [];
  const shown = all ? stages : stages.slice(0, FEW);
  const over = bar.to ? Date.parse(bar.to) : undefined;
  return (
    <ul className={classes.stages} aria-label={`Spark's stages of ${bar.label}`}>
      {shown.map((stage) => (
        <StageLine
          key={stage.id}
          stage={stage}
          idle={wasIdle(stage, bar.state)}
          end={stage.ended ?? over ?? now}
          place={place}
        />
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

type LineProps = { stage: Stage; idle: boolean; end: number; place: Props["place"] };

function StageLine({ stage, idle, end, place }: LineProps) {
  const whole = stage.tasks_done >= stage.tasks;
  const figures = idle
    ? `none of ${stage.tasks} tasks: skipped, or too short to be seen`
    : stageFigures(stage);
  return (
    <li className={classes.line}>
      <span className={classes.stage} title={stage.name}>
        Stage {stage.id}
        {stage.name && `, ${stage.name}`}
      </span>
      <span className={classes.thin} aria-hidden>
        <Stretch
          className={classes.part}
          state={idle ? "idle" : whole ? "whole" : "part"}
          from={place(stage.began)}
          to={place(end)}
        />
      </span>
      <span className={classes.took} title={figures}>
        {idle ? "–" : duration(end - stage.began)}
      </span>
      <span className={classes.about}>{figures}</span>
    </li>
  );
}

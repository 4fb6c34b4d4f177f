import { Link } from "@tanstack/react-router";
import { useNow } from "@/parts/clock";
import { duration } from "@/parts/times";
import { type Bar, span } from "./bars";
import classes from "./Gantt.module.css";
import { Stages } from "./Stages";
import { Stretch } from "./Stretch";

type Props = { bars: readonly Bar[]; workspace: string };

/** What happened when: one line for each attempt or task, the waiting before it pale. */
export function Gantt({ bars, workspace }: Props) {
  const now = useNow().getTime();
  const { from, to } = span(bars, now);
  const place = (at: string | number | undefined) => (100 * (millis(at, now) - from)) / (to - from);
  return (
    <ul className={classes.chart} aria-label="Timeline">
      {bars.map((bar) => (
        <li key={bar.key} className={classes.line}>
          <span className={classes.label} title={bar.label}>
            <Label bar={bar} workspace={workspace} />
          </span>
          <span className={classes.track} aria-hidden>
            {bar.asked && (
              <Stretch className={classes.waiting} from={place(bar.asked)} to={place(bar.from)} />
            )}
            {bar.from && (
              <Stretch className={classes.bar} state={bar.state} from={place(bar.from)} to={place(bar.to)} />
            )}
          </span>
          <span className={classes.took}>{took(bar, now)}</span>
          {bar.about && !bar.stages?.length && <span className={classes.about}>{bar.about}</span>}
          {bar.stages && bar.stages.length > 0 && <Stages bar={bar} now={now} place={place} />}
        </li>
      ))}
      <li className={classes.axis} aria-hidden>
        <span>0</span>
        <span>{duration((to - from) / 2)}</span>
        <span>{duration(to - from)}</span>
      </li>
    </ul>
  );
}

function millis(at: string | number | undefined, now: number): number {
  if (at === undefined) return now;
  return typeof at === "number" ? at : Date.parse(at);
}

function Label({ bar, workspace }: { bar: Bar; workspace: string }) {
  if (!bar.run) return bar.label;
  return (
    <Link to="/w/$workspace/runs/$run" params={{ workspace, run: bar.run }} search={{}}>
      {bar.label}
    </Link>
  );
}

function took(bar: Bar, now: number): string {
  if (!bar.from) return bar.state;
  const length = (bar.to ? Date.parse(bar.to) : now) - Date.parse(bar.from);
  return `${bar.state}, ${duration(length)}`;
}

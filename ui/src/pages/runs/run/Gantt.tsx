import { Link } from "@tanstack/react-router";
import { useNow } from "@/parts/clock";
import { duration } from "@/parts/times";
import { type Bar, span } from "./bars";
import classes from "./Gantt.module.css";

type Props = { bars: readonly Bar[]; workspace: string };

/** What happened when: one line for each attempt or task, the waiting before it pale. */
export function Gantt({ bars, workspace }: Props) {
  const now = useNow().getTime();
  const { from, to } = span(bars, now);
  const place = (at: string | undefined) => (100 * ((at ? Date.parse(at) : now) - from)) / (to - from);
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
          {bar.about && <span className={classes.about}>{bar.about}</span>}
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

function Label({ bar, workspace }: { bar: Bar; workspace: string }) {
  if (!bar.run) return bar.label;
  return (
    <Link to="/w/$workspace/runs/$run" params={{ workspace, run: bar.run }} search={{}}>
      {bar.label}
    </Link>
  );
}

type StretchProps = { className?: string; state?: string; from: number; to: number };

function Stretch({ className, state, from, to }: StretchProps) {
  return (
    <span
      className={className}
      data-state={state}
      style={{ left: `${from}%`, width: `max(2px, ${to - from}%)` }}
    />
  );
}

function took(bar: Bar, now: number): string {
  if (!bar.from) return bar.state;
  const length = (bar.to ? Date.parse(bar.to) : now) - Date.parse(bar.from);
  return `${bar.state}, ${duration(length)}`;
}

import { duration } from "@/parts/times";
import classes from "./Stream.module.css";
import { KEPT_MS, type Point, rate } from "./status";

const WIDTH = 200;
const HEIGHT = 36;
// So that the first seconds do not look like an age.
const SHORTEST_MS = 60_000;

/** The rate since one looks, at most some minutes; the newest at the right. With the aim as a line, if it has one. */
export function Sparkline({ label, points, aim }: { label: string; points: readonly Point[]; aim?: number }) {
  const last = points.at(-1);
  const first = points[0];
  const most = Math.max(1, aim ?? 0, ...points.map((point) => point.rate)) * 1.08;
  const span = Math.min(KEPT_MS, Math.max(SHORTEST_MS, (last?.at ?? 0) - (first?.at ?? 0)));
  const x = (at: number) => WIDTH - ((last?.at ?? at) - at) * (WIDTH / span);
  const y = (value: number) => HEIGHT - 1 - (value / most) * (HEIGHT - 2);
  const line = points.map(({ at, rate: value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const rates = points.map((point) => point.rate);
  const told =
    first && last && points.length > 1
      ? `${label} in the last ${duration(last.at - first.at)}: ${rate(Math.min(...rates))} to ${rate(Math.max(...rates))} events a second`
      : `${label}: nothing to draw yet`;
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={told}
    >
      {aim !== undefined && <line className={classes.aim} x1={0} x2={WIDTH} y1={y(aim)} y2={y(aim)} />}
      {first && (
        <polygon
          className={classes.under}
          points={`${x(first.at).toFixed(1)},${HEIGHT} ${line} ${WIDTH},${HEIGHT}`}
        />
      )}
      <polyline className={classes.drawn} points={line} />
    </svg>
  );
}

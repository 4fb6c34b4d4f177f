import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import UPlot from "uplot";

type Kind = "line" | "bar" | "points";
type Line = { label: string; values: (number | null)[]; colour: string };
type Props = {
  label: string;
  height: number;
  x: number[];
  lines: Line[];
  time?: boolean;
  kind?: Kind;
  /** What stands at the axis instead of the numbers of x, which then count from 0. */
  categories?: string[];
};

/** Lines, bars or points over numbers or, with `time`, over seconds since 1970. */
export default function LineChart(props: Props) {
  const { label, height, x, lines, time = false, kind = "line", categories } = props;
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes what the colours' names stand for.
  useEffect(() => {
    if (!place.current || width === 0) return;
    const axis = {
      stroke: colour("--mantine-color-dimmed"),
      grid: { stroke: colour("--line"), width: 1 },
      font: "11px system-ui",
    };
    const series = lines.map((line) => ({
      label: line.label,
      stroke: colour(line.colour),
      ...looks(kind, colour(line.colour)),
    }));
    const named = categories && { ...axis, ...namesOf(categories) };
    const options = {
      width,
      height,
      series: [{}, ...series],
      axes: [named ?? axis, axis],
      scales: {
        x: { time, ...(kind === "bar" && x.length > 0 ? { range: aroundBars(x) } : {}) },
        y: kind === "bar" ? { range: fromNought } : {},
      },
      legend: { live: false },
    };
    const chart = new UPlot(options, [x, ...lines.map((line) => line.values)], place.current);
    return () => chart.destroy();
  }, [x, lines, width, height, time, kind, categories, scheme]);
  return (
    <div ref={frame}>
      <div ref={place} role="img" aria-label={label} style={{ minHeight: height }} />
    </div>
  );
}

function looks(kind: Kind, stroke: string): Partial<UPlot.Series> {
  if (kind === "bar")
    return {
      fill: stroke,
      width: 0,
      points: { show: false },
      paths: UPlot.paths.bars?.({ size: [0.7, 60] }),
    };
  if (kind === "points") return { paths: () => null, points: { show: true, size: 5, fill: stroke } };
  return { width: 2 };
}

/** Half a bar more at both ends. */
function aroundBars(x: number[]): () => [number, number] {
  const [first = 0, last = 0] = [x[0], x.at(-1)];
  const half = x.length > 1 ? (last - first) / (x.length - 1) / 2 || 0.5 : 0.5;
  return () => [first - half, last + half];
}

/** A bar is as long as what it says: cut off below, it would lie. */
const fromNought: UPlot.Range.Function = (_, low, high) => {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
  return least === most ? [0, 1] : [least * 1.05, most * 1.05];
};

const LONGEST_NAME = 14;

function namesOf(categories: string[]): Partial<UPlot.Axis> {
  const short = (name: string) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);
  return {
    space: 90,
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    values: (_, splits) => splits.map((at) => (Number.isInteger(at) ? short(categories[at] ?? "") : "")),
  };
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

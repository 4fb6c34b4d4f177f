import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import UPlot from "uplot";

type Line = { label: string; values: number[]; colour: string };
type Props = { label: string; height: number; x: number[]; lines: Line[]; time?: boolean };

/** Lines over numbers or, with `time`, over seconds since 1970. */
export default function LineChart({ label, height, x, lines, time = false }: Props) {
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
    const series = lines.map((line) => ({ label: line.label, stroke: colour(line.colour), width: 2 }));
    const options = {
      width,
      height,
      series: [{}, ...series],
      axes: [axis, axis],
      scales: { x: { time } },
      legend: { live: false },
    };
    const chart = new UPlot(options, [x, ...lines.map((line) => line.values)], place.current);
    return () => chart.destroy();
  }, [x, lines, width, height, time, scheme]);
  return (
    <div ref={frame}>
      <div ref={place} role="img" aria-label={label} style={{ minHeight: height }} />
    </div>
  );
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

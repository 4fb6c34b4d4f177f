import { Group, MultiSelect, SegmentedControl, Select, Skeleton, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import type { ResultPage } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import { ProblemNote } from "@/parts/ProblemNote";
import { PAGE, resultPageQuery } from "../../runs/result/pages";
import classes from "./Chart.module.css";
import { type ChartKind, type Chosen, type Drawn, drawn, guess, isNumeric } from "./guess";

const LineChart = lazy(() => import("@/parts/LineChart"));

const SERIES = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];

/** The first rows of a result as a picture. All of them, for whoever sees no picture, are in the grid. */
export function ChartView({ workspace, run }: { workspace: string; run: string }) {
  const { data, error } = useQuery(resultPageQuery(workspace, run, undefined, 0));
  if (error) return <ProblemNote problem={error} />;
  if (!data) return <Skeleton className={classes.frame} />;
  const first = guess(data.columns);
  if (!first || data.rows.length === 0) {
    return (
      <div className={classes.frame}>
        <EmptyState title="There is nothing to draw">A chart takes rows with at least one number.</EmptyState>
      </div>
    );
  }
  return <Chart page={data} first={first} />;
}

function Chart({ page, first }: { page: ResultPage; first: Chosen }) {
  const [wanted, setChosen] = useState(first);
  const { ref, height } = useElementSize();
  // Bars of several columns would hide each other.
  const chosen = useMemo(
    () => (wanted.kind === "bar" ? { ...wanted, ys: wanted.ys.slice(0, 1) } : wanted),
    [wanted],
  );
  const found = useMemo(() => drawn(page.columns, page.rows, chosen), [page, chosen]);
  const lines = useMemo(() => linesOf(page, chosen, found), [page, chosen, found]);
  return (
    <div className={classes.frame}>
      <Choices page={page} chosen={chosen} onChange={setChosen} />
      <div ref={ref} className={classes.picture}>
        <Suspense fallback={null}>
          {height > 0 && (
            <LineChart
              label={`${lines.map((line) => line.label).join(", ")} by ${page.columns[chosen.x]?.name ?? ""}`}
              height={Math.max(140, height - 34)}
              x={found.x}
              lines={lines}
              time={found.time}
              kind={chosen.kind}
              categories={found.categories}
            />
          )}
        </Suspense>
      </div>
    </div>
  );
}

function linesOf(page: ResultPage, { ys }: Chosen, found: Drawn) {
  return found.lines.map((values, index) => ({
    label: page.columns[ys[index] ?? 0]?.name ?? "",
    values,
    colour: SERIES[index] ?? "--series-1",
  }));
}

type ChoicesProps = { page: ResultPage; chosen: Chosen; onChange: (chosen: Chosen) => void };

function Choices({ page, chosen, onChange }: ChoicesProps) {
  const all = page.columns.map(({ name }, index) => ({ value: String(index), label: name }));
  const numbers = all.filter((_, index) => isNumeric(page.columns[index]?.type ?? ""));
  const many = { label: "Up", data: numbers, size: "xs" } as const;
  return (
    <Group gap="md" align="flex-end" className={classes.choices}>
      <SegmentedControl
        aria-label="Kind of chart"
        size="xs"
        data={[
          { value: "bar", label: "Bars" },
          { value: "line", label: "Lines" },
          { value: "points", label: "Points" },
        ]}
        value={chosen.kind}
        onChange={(kind) => onChange({ ...chosen, kind: kind as ChartKind })}
      />
      <Select
        label="Along"
        w={170}
        allowDeselect={false}
        data={all}
        value={String(chosen.x)}
        onChange={(x) => onChange({ ...chosen, x: Number(x) })}
      />
      {chosen.kind === "bar" ? (
        <Select
          {...many}
          w={170}
          allowDeselect={false}
          value={String(chosen.ys[0])}
          onChange={(y) => onChange({ ...chosen, ys: [Number(y)] })}
        />
      ) : (
        <MultiSelect
          {...many}
          miw={170}
          maxValues={SERIES.length}
          value={chosen.ys.map(String)}
          onChange={(found) => found.length > 0 && onChange({ ...chosen, ys: found.map(Number) })}
        />
      )}
      {page.total > PAGE && (
        <Text size="xs" c="dimmed">
          The first {PAGE.toLocaleString("en")} of {page.total.toLocaleString("en")} rows
        </Text>
      )}
    </Group>
  );
}

import { Skeleton, Text } from "@mantine/core";
import { lazy, Suspense, useMemo } from "react";
import type { Figures } from "@/api/types";
import { Section } from "@/parts/Section";
import type { Report } from "../figures";

const LineChart = lazy(() => import("@/parts/LineChart"));
const HEIGHT = 190;

export type Moved = { run: Figures; report: Report }[] | undefined;

/** Rows in and out over the last loads and replays. */
export function RowsChart({ moved }: { moved: Moved }) {
  const drawn = useMemo(() => moved && lines(moved), [moved]);
  return (
    <Section title="Rows over time">
      {!drawn && <Skeleton height={HEIGHT} />}
      {drawn && drawn.x.length < 2 && (
        <Text size="sm" c="dimmed">
          Once two runs have moved rows, their figures are drawn here.
        </Text>
      )}
      {drawn && drawn.x.length >= 2 && (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <LineChart label="Rows in, written and rejected, by run" height={HEIGHT} time {...drawn} />
        </Suspense>
      )}
    </Section>
  );
}

function lines(moved: NonNullable<Moved>) {
  const values = (of: (report: Report) => number) => moved.map(({ report }) => of(report));
  return {
    x: moved.map(({ run }) => Date.parse(run.started_at ?? run.created_at) / 1000),
    lines: [
      { label: "in", values: values((report) => report.rows_in), colour: "--pending" },
      { label: "written", values: values((report) => report.rows_written), colour: "--succeeded" },
      { label: "rejected", values: values((report) => report.rows_quarantined), colour: "--failed" },
    ],
  };
}

import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Pipeline, Standing } from "@/api/types";
import { Section } from "@/parts/Section";
import { duration } from "@/parts/times";
import { When } from "@/parts/When";
import { count, isReplay, reportOf } from "../figures";
import classes from "./LastRun.module.css";

type Props = { pipeline: Pipeline; standing: Standing | undefined; workspace: string };

/** What the last run that came to its end did, and how the table stands since. */
export function LastRun({ pipeline, standing, workspace }: Props) {
  const last = pipeline.lately.find((run) => reportOf(run));
  const report = reportOf(last);
  return (
    <Section
      title="Last figures"
      actions={
        last && (
          <Text size="sm" c="dimmed">
            <Link to="/w/$workspace/runs/$run" params={{ workspace, run: last.run_id }}>
              {isReplay(last) ? "Replay" : "Load"}
            </Link>{" "}
            <When at={last.ended_at} />
          </Text>
        )
      }
    >
      <dl className={classes.figures}>
        <Figure name="Rows in" value={count(report?.rows_in)} />
        <Figure name="Written" value={count(report?.rows_written)} />
        <Figure
          name="Rejected"
          value={count(report?.rows_quarantined)}
          bad={Boolean(report?.rows_quarantined)}
        />
        <Figure name="Dropped" value={count(report?.rows_dropped)} />
        <Figure name="Took" value={report ? duration(report.seconds * 1000) : "–"} />
        <Figure name="Rows in the table" value={count(standing?.rows)} />
        <Figure name="Table changed" value={<When at={standing?.committed_at} none="–" />} />
        <Figure name="Rejects open" value={count(standing?.open)} bad={Boolean(standing?.open)} />
      </dl>
    </Section>
  );
}

function Figure({ name, value, bad }: { name: string; value: ReactNode; bad?: boolean }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd data-bad={bad || undefined}>{value}</dd>
    </div>
  );
}

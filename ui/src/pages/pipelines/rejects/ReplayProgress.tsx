import { CloseButton, Loader } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { runQuery } from "@/pages/runs/queries";
import { StateBadge } from "@/parts/StateBadge";
import { isOver } from "@/parts/states";
import { count, type Report, rows } from "../figures";
import { pipelineKeys } from "../queries";
import { useSearch } from "./changes";
import classes from "./Rejects.module.css";

/** How a replay goes, and what came of it. */
export function ReplayProgress({ workspace, job, run }: { workspace: string; job: string; run: string }) {
  const { data } = useQuery(runQuery(workspace, run));
  const goTo = useSearch(workspace, job);
  const queries = useQueryClient();
  const over = data !== undefined && isOver(data.state);
  useEffect(() => {
    if (!over) return;
    void queries.invalidateQueries({ queryKey: pipelineKeys.lake(workspace, job) });
    void queries.invalidateQueries({ queryKey: pipelineKeys.one(workspace, job) });
  }, [over, queries, workspace, job]);
  return (
    <div className={classes.progress} role="status" aria-label="Replay">
      {data ? <StateBadge state={data.state} /> : <Loader size={14} />}
      <span>{data ? said(data.state, data.report as Report | null, data.error) : "Starting the replay"}</span>
      <Link to="/w/$workspace/runs/$run" params={{ workspace, run }}>
        Its run
      </Link>
      {over && (
        <CloseButton
          size="sm"
          ml="auto"
          aria-label="Close"
          onClick={() => void goTo({ replay: undefined })}
        />
      )}
    </div>
  );
}

function said(state: string, report: Report | null, error: string | null): string {
  if (state === "succeeded" && report?.rows_in !== undefined) return outcome(report);
  if (error) return `Nothing was changed: ${error}`;
  return "Rows are on their way through the pipeline.";
}

function outcome(report: Report): string {
  if (report.rows_in === 0) return "None of these rows was open any more.";
  const parts = [
    `${rows(report.rows_in)} replayed: ${count(report.rows_written)} written`,
    report.rows_quarantined > 0 && `${count(report.rows_quarantined)} still open with the new reason`,
    report.rows_dropped > 0 && `${count(report.rows_dropped)} dropped`,
    report.rows_superseded > 0 && `${count(report.rows_superseded)} superseded`,
    report.rows_outdated > 0 && `${count(report.rows_outdated)} older than what the table has`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

import type { Figures } from "@/api/types";

export type Rule = { rule: string; action: string; rows: number };

/** What a run over files did, as its report has it. */
export type Report = {
  kind: "load" | "replay";
  load_id: string | null;
  files_loaded: number;
  files_skipped: number;
  bytes_read: number;
  rows_in: number;
  rows_written: number;
  rows_superseded: number;
  rows_outdated: number;
  rows_quarantined: number;
  rows_dropped: number;
  seconds: number;
  snapshot_id: number | null;
  rules: Rule[];
};

/** The report of a run that came to its end; one that did not has at most the word what it was for. */
export function reportOf(figures: Figures | undefined): Report | undefined {
  const report = figures?.report;
  return report && typeof report.rows_in === "number" ? (report as unknown as Report) : undefined;
}

export function isReplay(figures: { report?: Record<string, unknown> | null }): boolean {
  return figures.report?.kind === "replay";
}

/** Runs that moved rows, the oldest first. */
export function thatMoved(runs: readonly Figures[]): { run: Figures; report: Report }[] {
  return runs
    .flatMap((run) => {
      const report = reportOf(run);
      return report?.load_id ? [{ run, report }] : [];
    })
    .reverse();
}

/** For each rule that any run knew: how many rows broke it in each run, the oldest run first. */
export function brokenByRule(reports: readonly Report[]): { rule: string; action: string; rows: number[] }[] {
  const rules = new Map<string, { rule: string; action: string; rows: number[] }>();
  reports.forEach((report, place) => {
    for (const { rule, action, rows } of report.rules) {
      const known = rules.get(rule) ?? { rule, action, rows: reports.map(() => 0) };
      known.action = action;
      known.rows[place] = rows;
      rules.set(rule, known);
    }
  });
  return [...rules.values()];
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toLocaleString("en");
}

/** "12 rows", "1 row". */
export function rows(value: number): string {
  return `${count(value)} ${value === 1 ? "row" : "rows"}`;
}

import type { RunInFull, Stage, State } from "@/api/types";

export type Bar = {
  key: string;
  label: string;
  state: State | "waiting";
  /** When somebody asked for it; between that and the start it waited. */
  asked?: string;
  from?: string;
  to?: string;
  /** The run of a flow's task. */
  run?: string;
  about?: string;
  /** What Spark did for it. */
  stages?: readonly Stage[];
};

/** Of a flow its tasks, of anything else its attempts. */
export function barsOf(run: RunInFull): Bar[] {
  if (run.tasks.length > 0) return run.tasks.map((task) => taskBar(task));
  if (run.attempts.length === 0) {
    return [{ key: "waiting", label: "Waiting", state: run.state, asked: run.created_at }];
  }
  return run.attempts.map((attempt, index) => ({
    key: String(attempt.number),
    label: `Attempt ${attempt.number}`,
    state: attempt.state,
    asked: index === 0 ? run.created_at : attempt.claimed_at,
    from: attempt.started_at ?? attempt.claimed_at,
    to: attempt.ended_at ?? undefined,
    about: progress(attempt.progress),
    stages: attempt.stages,
  }));
}

function taskBar({ name, after, run, stages }: RunInFull["tasks"][number]): Bar {
  if (!run)
    return {
      key: name,
      label: name,
      state: "waiting",
      about: after.length ? `after ${after.join(", ")}` : undefined,
    };
  return {
    key: name,
    label: name,
    state: run.state,
    asked: run.created_at,
    from: run.started_at ?? undefined,
    to: run.ended_at ?? undefined,
    run: run.id,
    about: progress(run.progress),
    stages,
  };
}

/** How far Spark came, where it said so. */
export function progress(told: { [name: string]: unknown } | null | undefined): string | undefined {
  if (!told || typeof told.stages !== "number" || !told.stages) return undefined;
  return `${told.stages_done} of ${told.stages} stages, ${told.tasks_done} of ${told.tasks} Spark tasks`;
}

/** "12 of 16 tasks, 3.4 MB read". */
export function stageFigures({ tasks, tasks_done, bytes_read }: Stage): string {
  return `${tasks_done} of ${tasks} tasks${bytes_read ? `, ${bytes(bytes_read)} read` : ""}`;
}

function bytes(count: number): string {
  const step = Math.min(4, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const value = count / 1000 ** step;
  return `${value.toFixed(step > 0 && value < 10 ? 1 : 0)} ${["B", "kB", "MB", "GB", "TB"][step]}`;
}

/** From the first to the last moment, in milliseconds; what is not over goes on until now. */
export function span(bars: readonly Bar[], now: number): { from: number; to: number } {
  const moments = bars.flatMap((bar) => [bar.asked, bar.from, bar.to]).filter((one) => one !== undefined);
  const times = moments.map((one) => Date.parse(one));
  const open = bars.some((bar) => (bar.from ?? bar.asked) && !bar.to);
  const from = times.length > 0 ? Math.min(...times) : now;
  const to = Math.max(...times, open ? now : from, from + 1);
  return { from, to };
}

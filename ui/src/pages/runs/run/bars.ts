import type { Attempt, RunInFull, Stage, State } from "@/api/types";
import { bytes, count } from "@/parts/amounts";

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
  return run.attempts.map((attempt) => ({
    key: String(attempt.number),
    label: `Attempt ${attempt.number}`,
    state: attempt.state,
    asked: attempt.number === 1 ? run.created_at : attempt.claimed_at,
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

/** All that Spark did: "4 jobs, 6 stages, 20 tasks, shuffle 1 MiB in, 1 MiB out". */
export function sparkWork(told: Attempt["progress"]): string | undefined {
  const figure = (name: string) => (typeof told?.[name] === "number" ? (told[name] as number) : 0);
  const several = (name: string) => `${count(figure(name))} ${figure(name) === 1 ? name.slice(0, -1) : name}`;
  const parts = ["jobs", "stages", "tasks"].filter(figure).map(several);
  const shuffled = shuffle(figure("shuffle_bytes_read"), figure("shuffle_bytes_written"));
  return [...parts, ...(shuffled ? [shuffled] : [])].join(", ") || undefined;
}

/** Whether a stage had nothing to do in what succeeded: Spark skips one whose output is there already. */
export function wasIdle({ tasks_done }: Stage, state: Bar["state"]): boolean {
  return state === "succeeded" && tasks_done === 0;
}

/** "12 of 16 tasks, 3.4 MiB read, shuffle 1 MiB in, 64 KiB out". */
export function stageFigures(stage: Stage): string {
  const parts = [`${stage.tasks_done} of ${stage.tasks} tasks`];
  if (stage.tasks_failed) parts.push(`${stage.tasks_failed} failed`);
  if (stage.bytes_read) parts.push(`${bytes(stage.bytes_read)} read`);
  const shuffled = shuffle(stage.shuffle_bytes_read, stage.shuffle_bytes_written);
  return shuffled ? `${parts.join(", ")}, ${shuffled}` : parts.join(", ");
}

/** What went from stage to stage: "shuffle 1 MiB in, 64 KiB out", or nothing. */
function shuffle(read: number, written: number): string | undefined {
  const ways = [read && `${bytes(read)} in`, written && `${bytes(written)} out`].filter(Boolean);
  return ways.length > 0 ? `shuffle ${ways.join(", ")}` : undefined;
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

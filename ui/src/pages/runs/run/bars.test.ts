import { expect, test } from "vitest";
import type { Stage } from "@/api/types";
import { type Bar, progress, span, sparkWork, stageFigures, wasIdle } from "./bars";

const stage: Stage = {
  id: 3,
  name: "sort",
  tasks: 16,
  tasks_done: 0,
  tasks_failed: 0,
  bytes_read: 0,
  records_read: 0,
  shuffle_bytes_read: 0,
  shuffle_bytes_written: 0,
  began: 0,
  ended: null,
};
const at = (second: number) => new Date(second * 1000).toISOString();

test("what is not over goes on until now", () => {
  const bars: Bar[] = [{ key: "1", label: "Attempt 1", state: "running", asked: at(10), from: at(12) }];
  expect(span(bars, 20_000)).toEqual({ from: 10_000, to: 20_000 });
});

test("what is over ends when it ended", () => {
  const bars: Bar[] = [
    { key: "1", label: "Attempt 1", state: "failed", asked: at(10), from: at(12), to: at(15) },
  ];
  expect(span(bars, 90_000)).toEqual({ from: 10_000, to: 15_000 });
});

test("nothing but waiting tasks has a length too, so that nothing is divided by zero", () => {
  const { from, to } = span([{ key: "a", label: "a", state: "waiting" }], 5_000);
  expect(to).toBeGreaterThan(from);
});

test("how far Spark came is told where it said so", () => {
  expect(progress({ stages: 3, stages_done: 1, tasks: 20, tasks_done: 7 })).toBe(
    "1 of 3 stages, 7 of 20 Spark tasks",
  );
  expect(progress({ stages: 0 })).toBeUndefined();
  expect(progress(null)).toBeUndefined();
});

test("what Spark did in all is told without what it did not do", () => {
  expect(
    sparkWork({ jobs: 4, stages: 6, tasks: 2000, shuffle_bytes_read: 1024, shuffle_bytes_written: 0 }),
  ).toBe("4 jobs, 6 stages, 2,000 tasks, shuffle 1 KiB in");
  expect(sparkWork({ stages: 1, tasks: 3 })).toBe("1 stage, 3 tasks");
  expect(sparkWork(null)).toBeUndefined();
});

test("a stage tells its tasks, and what it read if it read something", () => {
  expect(stageFigures({ ...stage, tasks_done: 12, bytes_read: 3_420_000 })).toBe(
    "12 of 16 tasks, 3.3 MiB read",
  );
  expect(stageFigures({ ...stage, tasks_done: 12 })).toBe("12 of 16 tasks");
});

test("a stage tells what it took from other stages and made for them, and what went wrong", () => {
  expect(stageFigures({ ...stage, shuffle_bytes_read: 2048, shuffle_bytes_written: 512 })).toBe(
    "0 of 16 tasks, shuffle 2 KiB in, 512 B out",
  );
  expect(stageFigures({ ...stage, tasks_failed: 2, shuffle_bytes_written: 512 })).toBe(
    "0 of 16 tasks, 2 failed, shuffle 512 B out",
  );
});

test("a stage without a task done was idle only in what succeeded", () => {
  expect([wasIdle(stage, "succeeded"), wasIdle(stage, "running"), wasIdle(stage, "failed")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(wasIdle({ ...stage, tasks_done: 1 }, "succeeded")).toBe(false);
});

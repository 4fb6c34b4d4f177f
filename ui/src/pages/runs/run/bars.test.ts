import { expect, test } from "vitest";
import { type Bar, progress, span, stageFigures } from "./bars";

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

test("a stage tells its tasks, and what it read if it read something", () => {
  const stage = { id: 3, tasks: 16, tasks_done: 12, bytes_read: 3_420_000, began: 0, ended: null };
  expect(stageFigures(stage)).toBe("12 of 16 tasks, 3.4 MB read");
  expect(stageFigures({ ...stage, bytes_read: 0 })).toBe("12 of 16 tasks");
});

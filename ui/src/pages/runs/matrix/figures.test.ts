import { expect, test } from "vitest";
import type { RunInShort, State } from "@/api/types";
import { heights, successes, typicalLength } from "./figures";

const run = (state: State, seconds?: number): RunInShort => ({
  id: "1",
  state,
  trigger: "request",
  attempt: 1,
  created_at: new Date(0).toISOString(),
  started_at: seconds === undefined ? null : new Date(0).toISOString(),
  ended_at: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
  error: null,
});

test("what is under way counts neither as a success nor as a failure", () => {
  expect(successes([run("succeeded", 1), run("failed", 1), run("running")])).toBe("1 of 2");
  expect(successes([run("pending")])).toBe("–");
});

test("what a job typically takes is the middle of what its successes took", () => {
  expect(
    typicalLength([run("succeeded", 3), run("failed", 90), run("succeeded", 1), run("succeeded", 2)]),
  ).toBe(2000);
  expect(typicalLength([])).toBeUndefined();
});

test("bars are as high as their runs were long, and none is too low to be seen", () => {
  expect(heights([run("succeeded", 10), run("succeeded", 5), run("failed", 0), run("running")])).toEqual([
    1, 0.5, 0.25, 0.25,
  ]);
});

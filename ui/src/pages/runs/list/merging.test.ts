import { expect, test } from "vitest";
import type { Run, State } from "@/api/types";
import { merged } from "./merging";

const run = (id: string, state: State = "succeeded") => ({ id, state }) as Run;
const ids = (runs: Run[]) => runs.map(({ id }) => id);

test("new runs come first, and what changed is shown as it is now", () => {
  const { runs, gap } = merged([run("2", "running"), run("1")], [run("3"), run("2")]);
  expect(ids(runs)).toEqual(["3", "2", "1"]);
  expect(runs[1]?.state).toBe("succeeded");
  expect(gap).toBe(false);
});

test("that runs between the two are missing is noticed", () => {
  expect(merged([run("1")], [run("9"), run("8")]).gap).toBe(true);
});

test("nothing is missing where nothing is new, or was", () => {
  expect(merged([run("1")], []).gap).toBe(false);
  expect(merged([], [run("1")]).gap).toBe(false);
});

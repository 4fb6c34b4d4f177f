import { expect, test } from "vitest";
import { drawn, width } from "./graph";

const node = (id: string, parent_id: string | null, ancestor = true) => ({ id, parent_id, ancestor });

test("a straight history is one line from the newest to the oldest", () => {
  expect(drawn([node("3", "2"), node("2", "1"), node("1", null)])).toEqual([
    { lane: 0, into: [], by: [], on: true },
    { lane: 0, into: [0], by: [], on: true },
    { lane: 0, into: [0], by: [], on: false },
  ]);
});

test("what was rolled back from stands beside, and joins where it left", () => {
  const rows = drawn([node("4", "1"), node("3", "2", false), node("2", "1", false), node("1", null)]);
  expect(rows).toEqual([
    { lane: 0, into: [], by: [], on: true },
    { lane: 1, into: [], by: [0], on: true },
    { lane: 1, into: [1], by: [0], on: true },
    { lane: 0, into: [0, 1], by: [], on: false },
  ]);
  expect(width(rows)).toBe(2);
});

test("before anything follows a roll back, the newer ones stand beside the current one", () => {
  expect(drawn([node("2", "1", false), node("1", null)])).toEqual([
    { lane: 1, into: [], by: [], on: true },
    { lane: 0, into: [1], by: [], on: false },
  ]);
});

test("two branches have a line each", () => {
  const rows = drawn([node("4", "1", false), node("3", "1", false), node("2", "1"), node("1", null)]);
  expect(rows.map((row) => row.lane)).toEqual([1, 2, 0, 0]);
  expect(rows[3]?.into).toEqual([0, 1, 2]);
});

test("a parent that was expired is somewhere below", () => {
  expect(drawn([node("9", "8")])).toEqual([{ lane: 0, into: [], by: [], on: true }]);
});

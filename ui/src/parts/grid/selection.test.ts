import { expect, test } from "vitest";
import { areaOf, everything, holds, moved, type Selection } from "./selection";

const size = { rows: 10, columns: 4, page: 5 };
const at = (row: number, column: number): Selection => ({ anchor: { row, column }, at: { row, column } });
const press = (key: string, more: { ctrl?: boolean; shift?: boolean } = {}) => ({
  key,
  ctrl: false,
  shift: false,
  ...more,
});

test.each([
  ["ArrowDown", {}, 3, 1],
  ["ArrowUp", {}, 1, 1],
  ["PageDown", {}, 7, 1],
  ["PageUp", {}, 0, 1],
  ["End", {}, 2, 3],
  ["Home", { ctrl: true }, 0, 0],
  ["End", { ctrl: true }, 9, 3],
])("%s %o leads to row %i, column %i", (key, more, row, column) => {
  expect(moved(at(2, 1), press(key, more), size)).toEqual(at(row, column));
});

test("above the first row is the head, where one sorts, and nothing is beyond the edges", () => {
  expect(moved(at(0, 0), press("ArrowUp"), size)?.at.row).toBe(-1);
  expect(moved(at(-1, 0), press("ArrowUp"), size)?.at.row).toBe(-1);
  expect(moved(at(9, 3), press("ArrowRight"), size)).toEqual(at(9, 3));
  expect(moved(at(0, 0), press("x"), size)).toBeUndefined();
});

test("with shift it grows from where one began, and never into the head", () => {
  const grown = moved(at(0, 2), press("ArrowLeft", { shift: true }), size);
  expect(grown && areaOf(grown)).toEqual({ top: 0, bottom: 0, left: 1, right: 2 });
  expect(moved(at(0, 2), press("ArrowUp", { shift: true }), size)?.at.row).toBe(0);
});

test("everything is everything", () => {
  const area = areaOf(everything(size));
  expect([holds(area, 0, 0), holds(area, 9, 3), holds(area, 10, 0)]).toEqual([true, true, false]);
});

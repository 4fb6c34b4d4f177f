import { expect, test } from "vitest";
import { drawn, guess } from "./guess";

const columns = (...types: string[]) => types.map((type, index) => ({ name: `c${index}`, type }));

test.each([
  [["string", "int64", "double"], { kind: "bar", x: 0, ys: [1] }],
  [["int64", "date32[day]", "double"], { kind: "line", x: 1, ys: [0, 2] }],
  [["int64", "double"], { kind: "line", x: 0, ys: [1] }],
  [["int64"], { kind: "bar", x: 0, ys: [0] }],
  [["string"], undefined],
])("of %o is guessed %o", (types, chosen) => {
  expect(guess(columns(...types))).toEqual(chosen);
});

test("texts stand at the axis, in the order in which they came", () => {
  const rows = [
    ["b", "1.50"],
    ["a", null],
  ];
  const found = drawn(columns("string", "decimal128(5, 2)"), rows, { kind: "bar", x: 0, ys: [1] });
  expect(found).toEqual({ x: [0, 1], lines: [[1.5, null]], categories: ["b", "a"], time: false });
});

test("times are put in order, and what is none is left out", () => {
  const rows = [
    ["2026-01-02", 2],
    [null, 3],
    ["2026-01-01", 1],
  ];
  const found = drawn(columns("date32[day]", "int64"), rows, { kind: "line", x: 0, ys: [1] });
  expect(found.lines).toEqual([[1, 2]]);
  expect(found.x[0]).toBe(Date.UTC(2026, 0, 1) / 1000);
});

import { expect, test } from "vitest";
import { cellText, gridColumns, turnedSort } from "./columns";

test("numbers are told from texts, and what has no order cannot be sorted", () => {
  const types = [
    "int64",
    "decimal128(10, 2)",
    "double",
    "string",
    "list<element: int32>",
    "struct<a: int32>",
  ];
  const columns = gridColumns(
    types.map((type) => ({ name: "c", type })),
    [],
  );
  expect(columns.map((column) => column.numeric)).toEqual([true, true, true, false, false, false]);
  expect(columns.map((column) => column.sortable)).toEqual([true, true, true, true, false, false]);
});

test("a column is as wide as what it holds, within reason", () => {
  const [short, long] = gridColumns(
    [
      { name: "a", type: "int64" },
      { name: "b", type: "string" },
    ],
    [[1, "x".repeat(5000)]],
  );
  expect(short?.width).toBeLessThan(80);
  expect(long?.width).toBe(340);
});

test("clicks on a column go up, down, and back to how it came", () => {
  const up = turnedSort(undefined, 2);
  const down = turnedSort(up, 2);
  expect([up, down, turnedSort(down, 2)]).toEqual([
    { by: 2, descending: false },
    { by: 2, descending: true },
    undefined,
  ]);
});

test("structures are told as JSON", () => {
  expect([cellText(null), cellText({ a: [1] }), cellText(false)]).toEqual(["null", '{"a":[1]}', "false"]);
});

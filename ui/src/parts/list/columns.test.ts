import { expect, test } from "vitest";
import { type Column, sorted, turned } from "./columns";

type Row = { name: string; size: number | null };

const rows: Row[] = [
  { name: "b", size: 2 },
  { name: "a", size: null },
  { name: "c", size: 1 },
];
const columns: Column<Row>[] = [
  { id: "name", title: "Name", width: "1fr", cell: (row) => row.name, sortBy: (row) => row.name },
  { id: "size", title: "Size", width: "1fr", cell: (row) => row.size, sortBy: (row) => row.size },
];
const names = (by: string, descending: boolean) =>
  sorted(rows, columns, { by, descending }).map((row) => row.name);

test("rows come in the order of the column, and those without a value last either way", () => {
  expect(names("name", false)).toEqual(["a", "b", "c"]);
  expect(names("size", false)).toEqual(["c", "b", "a"]);
  expect(names("size", true)).toEqual(["b", "c", "a"]);
});

test("an order that no column has changes nothing", () => {
  expect(names("weight", false)).toEqual(["b", "a", "c"]);
});

test("clicks on a column go up, down, and back to how it came", () => {
  const up = turned(undefined, "name");
  const down = turned(up, "name");
  expect([up, down, turned(down, "name")]).toEqual([
    { by: "name", descending: false },
    { by: "name", descending: true },
    undefined,
  ]);
});

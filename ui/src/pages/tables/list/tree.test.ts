import { expect, test } from "vitest";
import { above, grown, inSight } from "./tree";

const NAMESPACES = [
  { name: "sales", datasets: 2 },
  { name: "sales.eu.north", datasets: 3 },
  { name: "stock", datasets: 1 },
];
const none = new Set<string>();

test("a namespace counts what is further down in it, also where nothing is directly in it", () => {
  const [sales, stock] = grown(NAMESPACES);
  expect([sales?.tables, stock?.tables]).toEqual([5, 1]);
  expect(sales?.children.map(({ path, tables, depth }) => [path, tables, depth])).toEqual([
    ["sales.eu", 3, 1],
  ]);
});

test("what is open or searched for is in sight, with what leads to it", () => {
  const roots = grown(NAMESPACES);
  const paths = (open: Set<string>, searched = "") => inSight(roots, open, searched).map((one) => one.path);
  expect(paths(none)).toEqual(["sales", "stock"]);
  expect(paths(new Set(["sales"]))).toEqual(["sales", "sales.eu", "stock"]);
  expect(paths(none, "NORTH")).toEqual(["sales", "sales.eu", "sales.eu.north"]);
  expect(above("sales.eu.north")).toEqual(["sales", "sales.eu"]);
});

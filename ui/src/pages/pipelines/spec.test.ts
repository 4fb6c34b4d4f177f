import { expect, it } from "vitest";
import { outline } from "./spec";

it("tells in short what a spec says", () => {
  const spec = {
    source: { path: "incoming/*.csv", format: "csv" },
    schema: { id: "bigint", price: "int" },
    derive: { amount: "price * 2" },
    expectations: [{ check: "price > 0" }, { name: "no tests", check: "id > 9", otherwise: "drop" }],
    target: { table: "sales.orders", mode: "merge", keys: ["id"], partition_by: "month(day)" },
  };
  expect(outline(spec)).toEqual({
    from: { format: "csv", paths: ["incoming/*.csv"] },
    columns: 2,
    derived: ["amount"],
    checks: [
      { name: "fits the schema", otherwise: "quarantine" },
      { name: "price > 0", otherwise: "quarantine" },
      { name: "no tests", otherwise: "drop" },
    ],
    into: { table: "sales.orders", mode: "merge", keys: ["id"], partitions: ["month(day)"] },
  });
});

it("makes the best of a spec that says nothing", () => {
  expect(outline({ source: "x", target: null }).into).toEqual({
    table: "",
    mode: "append",
    keys: [],
    partitions: [],
  });
});

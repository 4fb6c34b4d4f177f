import { expect, test } from "vitest";
import type { Dataset } from "@/api/types";
import { offered } from "./completion";
import { tablesIn } from "./tables";

const known = [
  { name: "sales.orders", columns: ["id", "customer"], description: "" },
  { name: "sales.returns", columns: ["id", "reason"], description: "" },
] as Dataset[];

function labels(sql: string, typed: string) {
  const result = offered(sql.length - typed.length, typed, tablesIn(sql), known);
  return { from: result.from, labels: result.options.map((option) => option.label) };
}

test("where no table is named yet, tables are offered", () => {
  expect(labels("SELECT * FROM sal", "sal").labels).toEqual(["sales.orders", "sales.returns"]);
});

test("behind an alias there are its table's columns, and they begin behind the dot", () => {
  const sql = "SELECT * FROM sales.orders o WHERE o.cu";
  expect(labels(sql, "o.cu")).toEqual({ from: sql.length - 2, labels: ["id", "customer"] });
});

test("columns of the tables that are named come before other tables, each once", () => {
  const { labels: told } = labels("SELECT * FROM sales.orders JOIN sales.returns USING (i", "i");
  expect(told).toEqual(["id", "customer", "reason", "sales.orders", "sales.returns"]);
});

test("behind a namespace there are its tables", () => {
  expect(labels("SELECT * FROM sales.", "sales.").labels).toEqual(["sales.orders", "sales.returns"]);
});

import { expect, test } from "vitest";
import { sqlName, tablesIn } from "./tables";

const named = (sql: string) => tablesIn(sql).map(({ name, alias }) => (alias ? `${name} ${alias}` : name));

test.each([
  ["SELECT * FROM sales.orders", ["sales.orders"]],
  ["select 1 from sales.orders o join `my ns`.`t` AS x on o.id = x.id", ["sales.orders o", "my ns.t x"]],
  ["SELECT * FROM sales.orders WHERE a = 'from nowhere.t' -- join no.where", ["sales.orders"]],
  ["SELECT * FROM range(10), (SELECT 1)", []],
  ["SELECT * FROM (SELECT * FROM a.b) t", ["a.b"]],
  ["MERGE INTO a.b USING c.d ON true", ["a.b", "c.d"]],
  ["SELECT * FROM a.b VERSION AS OF 17 z", ["a.b z"]],
])("%s names %o", (sql, names) => {
  expect(named(sql)).toEqual(names);
});

test("where it is said as of when is found", () => {
  const sql = "SELECT * FROM a.b TIMESTAMP AS OF '2026-01-01' WHERE x";
  const [table] = tablesIn(sql);
  expect(table?.asOf && sql.slice(table.asOf.from, table.asOf.to)).toBe(" TIMESTAMP AS OF '2026-01-01'");
});

test("a name is quoted only where it must be", () => {
  expect([sqlName("sales.orders"), sqlName("sales.2026-orders")]).toEqual([
    "sales.orders",
    "sales.`2026-orders`",
  ]);
});

import { expect, test } from "vitest";
import { names } from "./usage";

test("a spec names a connection itself or in a task", () => {
  expect(names({ sql: "SELECT 1", connection: "trino" }, "trino")).toBe(true);
  expect(names({ tasks: [{ kind: "sql", spec: { connection: "trino" } }] }, "trino")).toBe(true);
  expect(names({ sql: "SELECT 'trino'", connection: "other" }, "trino")).toBe(false);
  expect(names({ sql: "trino" }, "trino")).toBe(false);
});

import { expect, test } from "vitest";
import { newTab } from "../desk/desk";
import { commandsOf } from "./commandsOf";

const tab = newTab({
  sql: "SELECT 'it' WHERE d = :day AND :on",
  rows: 100,
  connection: "trino",
  types: { day: "date", on: "boolean" },
  values: { day: "2026-02-01", on: "true" },
});

test("a query is taken along with its connection, its values and its rows", () => {
  const { cli, python, curl } = commandsOf("north", tab);
  expect(cli).toBe(
    "boathouse query run 'SELECT '\\''it'\\'' WHERE d = :day AND :on' --workspace north --connection trino " +
      "--value day:date=2026-02-01 --value on:boolean=true --limit 100",
  );
  expect(python).toContain('values={"day": "2026-02-01", "on": True}, rows=100');
  expect(curl).toContain('"connection":"trino"');
});

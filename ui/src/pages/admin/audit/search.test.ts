import { expect, test } from "vitest";
import { auditSearch, filterOf } from "./search";

test("an address may hold anything, and only what can be asked for is taken", () => {
  expect(auditSearch({ user: "ann", result: "nonsense", from: "yesterday", entry: "x" })).toEqual({
    user: "ann",
  });
  expect(auditSearch({ result: "forbidden", from: "2026-01-31", entry: 7 })).toEqual({
    result: "forbidden",
    from: "2026-01-31",
    entry: 7,
  });
});

test("the last day is whole", () => {
  const { since, until } = filterOf({ from: "2026-01-31", to: "2026-01-31" });
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000);
});

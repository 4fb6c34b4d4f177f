import { expect, test } from "vitest";
import { selection } from "./sql";

test("a name that is no plain word is put between marks", () => {
  expect(selection("sales.orders")).toBe("SELECT * FROM sales.orders LIMIT 100");
  expect(selection("sales.2026 `raw`", "77", 5)).toBe(
    "SELECT * FROM sales.`2026 ``raw``` VERSION AS OF 77 LIMIT 5",
  );
});

import { expect, test } from "vitest";
import { tablesIn } from "../editor/tables";
import { clause, withAsOf } from "./asOf";

const at = new Date("2026-02-01T12:30:00Z");

test("each engine has its own way to say it", () => {
  expect(clause("spark", { snapshot: "8765432109876543210" })).toBe("VERSION AS OF 8765432109876543210");
  expect(clause("trino", { snapshot: "17" })).toBe("FOR VERSION AS OF 17");
  expect(clause("spark", { at })).toBe("TIMESTAMP AS OF '2026-02-01T12:30:00.000Z'");
  expect(clause("trino", { at })).toBe("FOR TIMESTAMP AS OF TIMESTAMP '2026-02-01 12:30:00.000 UTC'");
});

test("it comes behind the table's name, instead of what was said before, and can be taken back", () => {
  const sql = "SELECT * FROM a.b t WHERE x";
  const put = (text: string, said: string | undefined) => {
    const [table] = tablesIn(text);
    return table ? withAsOf(text, table, said) : text;
  };
  const first = put(sql, "VERSION AS OF 1");
  expect(first).toBe("SELECT * FROM a.b VERSION AS OF 1 t WHERE x");
  expect(put(first, "VERSION AS OF 2")).toBe("SELECT * FROM a.b VERSION AS OF 2 t WHERE x");
  expect(put(first, undefined)).toBe(sql);
});

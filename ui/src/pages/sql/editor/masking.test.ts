import { expect, test } from "vitest";
import { statements } from "./masking";

test.each([
  ["SELECT 1", 1],
  ["SELECT 1;\n-- the end;\n", 1],
  ["SELECT ';' AS a; SELECT 2 /* ; */", 2],
])("%s is %i statements", (sql, many) => {
  expect(statements(sql)).toBe(many);
});

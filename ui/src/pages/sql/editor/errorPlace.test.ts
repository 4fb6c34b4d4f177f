import { expect, test } from "vitest";
import { placeOf } from "./errorPlace";

const message = "[UNRESOLVED_COLUMN] No column `x`.\n\nline 2: SELECT x FROM t\n               ^";

test("an error that points at a place in the text is found there", () => {
  expect(placeOf(message)).toEqual({ line: 2, column: 8, length: 1 });
});

test("of a part that was run by itself, the place is counted in the whole text", () => {
  expect(placeOf(message, 10)?.line).toBe(11);
});

test("an error without a place has none", () => {
  expect(placeOf("Spark does not answer.")).toBeUndefined();
});

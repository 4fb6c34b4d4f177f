import { expect, test } from "vitest";
import { onceKeys } from "./onceKeys";

test("asking for the same again, without an answer, has the same key", () => {
  const keys = onceKeys();
  const key = keys.of({ day: "monday" });
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.of({ day: "monday" })).toBe(key);
});

test("something else, and the same once it was answered, have new keys", () => {
  const keys = onceKeys();
  const first = keys.of({ day: "monday" });
  const second = keys.of({ day: "tuesday" });
  keys.answered();
  const third = keys.of({ day: "tuesday" });
  expect(new Set([first, second, third]).size).toBe(3);
});

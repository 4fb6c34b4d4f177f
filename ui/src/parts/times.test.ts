import { expect, test } from "vitest";
import { ago, duration } from "./times";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  ["2026-03-01T11:59:58Z", "just now"],
  ["2026-03-01T11:59:20Z", "40 sec ago"],
  ["2026-03-01T11:57:00Z", "3 min ago"],
  ["2026-03-01T14:30:00Z", "in 2 hr"],
  ["2026-02-28T10:00:00Z", "yesterday"],
])("%s is %s", (at, told) => {
  expect(ago(new Date(at), now)).toBe(told);
});

test.each([
  [0, "0 ms"],
  [850, "850 ms"],
  [1_234, "1.2 s"],
  [42_000, "42 s"],
  [250_000, "4 min 10 s"],
  [7_500_000, "2 h 05 min"],
  [100 * 3_600_000, "4 d 4 h"],
])("%i ms are told as %s", (milliseconds, told) => {
  expect(duration(milliseconds)).toBe(told);
});

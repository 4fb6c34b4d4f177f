import { expect, test } from "vitest";
import { bytes, count, share } from "./amounts";

test("bytes are told in the unit that fits them", () => {
  expect([0, 820, 1536, 10 * 1024, 64 * 1024 ** 2, 3.25 * 1024 ** 4].map(bytes)).toEqual([
    "0 B",
    "820 B",
    "1.5 KiB",
    "10 KiB",
    "64 MiB",
    "3.3 TiB",
  ]);
});

test("what nobody counted is no zero, and little is not none", () => {
  expect([bytes(null), count(undefined), share(null), share(0), share(0.001), share(0.5)]).toEqual([
    "–",
    "–",
    "–",
    "0 %",
    "< 1 %",
    "50 %",
  ]);
});

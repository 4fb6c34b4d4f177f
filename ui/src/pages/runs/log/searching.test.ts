import { expect, test } from "vitest";
import type { LogLine } from "@/api/types";
import { lineOf, numbered, pieces, places } from "./searching";

const line = (text: string, attempt = 1): LogLine => ({
  at: "2026-01-01T00:00:00Z",
  attempt,
  stream: "out",
  text,
});
const lines = [line("Reading"), line("an error"), line("ERROR again", 2)];

test("lines keep their number when only one attempt is shown", () => {
  expect(numbered(lines, 2).map(({ number }) => number)).toEqual([3]);
});

test("a text is found whatever its case", () => {
  expect(places(numbered(lines, undefined), "Error")).toEqual([1, 2]);
  expect(places(numbered(lines, undefined), "")).toEqual([]);
});

test("what was found is every second piece, and nothing of the line is lost", () => {
  expect(pieces("an Error, an error", "error")).toEqual(["an ", "Error", ", an ", "error", ""]);
  expect(pieces("nothing", "")).toEqual(["nothing"]);
});

test("an address names a line, or none", () => {
  expect([lineOf("L12"), lineOf("#L7"), lineOf("top"), lineOf("")]).toEqual([12, 7, undefined, undefined]);
});

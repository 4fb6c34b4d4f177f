import { expect, test } from "vitest";
import { oneOf, ownPath, someOf, text } from "./search";

const WORDS = ["failed", "running"] as const;

test("an address may hold anything, and only what is known is taken", () => {
  expect(someOf(WORDS, "running,failed,nonsense")).toEqual(["failed", "running"]);
  expect(someOf(WORDS, { a: 1 })).toEqual([]);
  expect([oneOf(WORDS, "failed"), oneOf(WORDS, 7)]).toEqual(["failed", undefined]);
  expect([text("x"), text(7), text(""), text(null)]).toEqual(["x", "7", undefined, undefined]);
});

test("a login leads only to pages of this server", () => {
  expect(ownPath("/w/north/runs?state=failed")).toBe("/w/north/runs?state=failed");
  for (const foreign of [
    "https://elsewhere.example",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "w/north",
    undefined,
  ]) {
    expect(ownPath(foreign)).toBeUndefined();
  }
});

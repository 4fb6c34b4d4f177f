import { expect, test } from "vitest";
import { ownPath } from "./routes";

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

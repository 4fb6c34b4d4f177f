// @vitest-environment node
import { readFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";

test("the types are those of the API's description; else run `make api`", async () => {
  const described = new URL("../../openapi.json", import.meta.url);
  const made = astToString(await openapiTS(described, { alphabetize: true }));
  const written = await readFile(new URL("./schema.ts", import.meta.url), "utf8");
  expect(written.endsWith(made)).toBe(true);
  // Longer than it takes on a machine with better things to do.
}, 60_000);

import { expect, test } from "vitest";
import type { Definition } from "@/api/types";
import { fromYaml, toYaml } from "./definition";

const definition: Definition = {
  kind: "sql",
  description: "",
  spec: { sql: "SELECT :day AS day,\n  1\n", rows: 10 },
  parameters: [{ name: "day", type: "date", default: "2026-01-31", description: "", choices: null }],
  schedule: null,
  retries: null,
  timeout_seconds: null,
  concurrency: { otherwise: "queue", most: 1 },
  resources: { cores: 1, memory_mb: 1024 },
};

test("a job is written without what goes without saying", () => {
  expect(toYaml({ name: "daily", definition }).split("\n")).toEqual([
    "job: daily",
    "kind: sql",
    "spec:",
    "  sql: |",
    "    SELECT :day AS day,",
    "      1",
    "  rows: 10",
    "parameters:",
    "  - name: day",
    "    type: date",
    '    default: "2026-01-31"',
    "",
  ]);
});

test("what was written is read again", () => {
  const read = fromYaml(toYaml({ name: "daily", definition }));
  expect(read.name).toBe("daily");
  expect(read.definition.spec).toEqual(definition.spec);
  expect(read.definition.parameters?.[0]?.default).toBe("2026-01-31");
});

test("other settings are kept", () => {
  const busy = { ...definition, concurrency: { most: 3, otherwise: "skip" as const }, timeout_seconds: 60 };
  const read = fromYaml(toYaml({ name: "daily", definition: busy })).definition;
  expect([read.concurrency, read.timeout_seconds]).toEqual([{ most: 3, otherwise: "skip" }, 60]);
});

test.each([
  ["- a", "list of names"],
  ["kind: sql", "called"],
  ["job: daily", "kind"],
  ["job: daily\nkind: [", "Line 2 is no YAML"],
])("%s is refused with a reason", (text, reason) => {
  expect(() => fromYaml(text)).toThrow(reason);
});

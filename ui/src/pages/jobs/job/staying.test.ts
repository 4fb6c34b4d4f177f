import { expect, test } from "vitest";
import type { Definition } from "@/api/types";
import { staying } from "./staying";

const pipeline = { pipeline: "all meters", source: { kind: "postgres", tables: ["public.{{table}}"] } };

function job(kind: string, spec: object, ...parameters: string[]): Definition {
  return { kind, spec, parameters: parameters.map((name) => ({ name })) } as unknown as Definition;
}

test("a stream leaves what a spec alone can end, which is deleted with its job", () => {
  const left = staying(job("stream", { pipeline }, "table", "unused"));
  expect(left).toMatchObject({
    inPostgres: true,
    command: "boathouse pipeline remove all-meters.yaml",
    file: "all-meters.yaml",
    parameters: ["table"],
  });
  expect(left?.text.split("\n")).toEqual([
    "pipeline: all meters",
    "source:",
    "  kind: postgres",
    "  tables:",
    "    - public.{{table}}",
    "",
  ]);
});

test("one that follows topics holds nothing in Postgres, and other jobs leave nothing", () => {
  const source = { kind: "kafka", topics: ["clicks"] };
  expect(staying(job("stream", { pipeline: { ...pipeline, source } }))?.inPostgres).toBe(false);
  expect(staying(job("pipeline", { pipeline }))).toBeNull();
});

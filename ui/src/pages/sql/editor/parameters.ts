import type { Parameter } from "@/api/types";
import { type Given, given } from "../../jobs/job/values";
import { masked } from "./masking";

// Behind a word or a bracket a colon leads into a value, as in `payload:city`; two are a cast.
const PLACE = /(?<![\w)\]:`"'])(:)([a-z][a-z0-9_]{0,58})\b/g;

export type TypeOf = Record<string, Parameter["type"]>;

/** The names that a text asks values for, in the order in which they come. */
export function namesIn(sql: string): string[] {
  const found = [...masked(sql).matchAll(PLACE)].map((match) => match[2] ?? "");
  return [...new Set(found)];
}

/** What is sent with a text: only what it asks for. */
export function parametersOf(sql: string, types: TypeOf, values: Given) {
  const parameters = namesIn(sql).map(
    (name): Parameter => ({ name, type: types[name] ?? "string", description: "" }),
  );
  return { parameters, values: given(parameters, values) };
}

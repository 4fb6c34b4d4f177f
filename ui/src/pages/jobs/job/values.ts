import type { Parameter } from "@/api/types";

/** What was typed, by the parameter's name. */
export type Given = Record<string, string>;

/** As JSON has them. What was left empty is left out, so that the default counts; what is no number the server refuses in words. */
export function given(parameters: readonly Parameter[], typed: Given): Record<string, unknown> {
  const entries = parameters
    .map((parameter) => [parameter, typed[parameter.name] ?? ""] as const)
    .filter(([, text]) => text !== "")
    .map(([parameter, text]) => [parameter.name, asType(parameter.type, text)]);
  return Object.fromEntries(entries);
}

function asType(type: Parameter["type"], text: string): unknown {
  if (type === "boolean") return text === "true";
  const number = Number(text);
  // A long may be larger than a number can hold here: as text it arrives whole.
  const exact = type === "number" ? Number.isFinite(number) : Number.isSafeInteger(number);
  return (type === "integer" || type === "number") && exact ? number : text;
}

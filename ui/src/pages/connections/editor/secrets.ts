import type { SecretKept } from "@/api/types";

export const WAYS = ["text", "env", "file"] as const;
export type Way = (typeof WAYS)[number];

/** A secret as it is being written: kept as it is, taken away, or given in one of three ways. */
export type SecretDraft = { do: "keep" | "remove" } | { do: "give"; way: Way; value: string };

/** As the API takes it. */
export type SecretGiven = string | { env: string } | { file: string } | null;

export type SecretDrafts = Record<string, SecretDraft>;

export function firstDraft(kept: SecretKept | undefined): SecretDraft {
  return kept ? { do: "keep" } : { do: "give", way: "text", value: "" };
}

/** What is sent: only what was given or taken away. */
export function secretsOf(drafts: SecretDrafts): Record<string, SecretGiven> {
  const given: Record<string, SecretGiven> = {};
  for (const [name, draft] of Object.entries(drafts)) {
    if (draft.do === "remove") given[name] = null;
    if (draft.do === "give" && draft.value !== "") given[name] = asGiven(draft.way, draft.value);
  }
  return given;
}

function asGiven(way: Way, value: string): SecretGiven {
  if (way === "env") return { env: value.trim() };
  return way === "file" ? { file: value.trim() } : value;
}

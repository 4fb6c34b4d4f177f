import { python } from "@codemirror/lang-python";
import { sql } from "@codemirror/lang-sql";
import { yaml } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";

export type Language = "sql" | "yaml" | "python" | "text";

export function language(name: Language): Extension {
  if (name === "sql") return sql();
  if (name === "yaml") return yaml();
  if (name === "python") return python();
  return [];
}

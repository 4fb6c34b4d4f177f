import type { Definition } from "@/api/types";
import { quoted } from "@/parts/commands";
import { asYaml } from "../definition";

export type Staying = {
  /** Whether Postgres keeps a slot for it, and with that its log. */
  inPostgres: boolean;
  command: string;
  file: string;
  text: string;
  /** In the text, which nobody fills in once the job is gone. */
  parameters: string[];
};

/** What a stream leaves behind when its job is deleted, and how that is ended: by a spec that is deleted with it. */
export function staying({ kind, spec, parameters }: Definition): Staying | null {
  const pipeline = kind === "stream" ? object(spec.pipeline) : null;
  if (!pipeline) return null;
  const name = typeof pipeline.pipeline === "string" ? pipeline.pipeline : "stream";
  const file = `${name.replaceAll(/[^\w.-]+/g, "-")}.yaml`;
  const text = asYaml(pipeline);
  const named = (parameters ?? []).map((one) => one.name).filter((one) => text.includes(`{{${one}}}`));
  return {
    inPostgres: object(pipeline.source)?.kind !== "kafka",
    command: `boathouse pipeline remove ${quoted(file)}`,
    file,
    text,
    parameters: named,
  };
}

function object(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

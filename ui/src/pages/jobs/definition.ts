import { parse, stringify, YAMLParseError } from "yaml";
import { Problem } from "@/api/problem";
import type { Definition } from "@/api/types";

export type Draft = { name: string; definition: Definition };

const CONCURRENCY = { most: 1, otherwise: "queue" };
const RESOURCES = { cores: 1, memory_mb: 1024 };

// As older readers of YAML take it too, for whom a date without quotes is no text.
const FOR_ALL = { lineWidth: 0, blockQuote: "literal", version: "1.1" } as const;

/** The job as a file, as `boathouse job apply` takes it. What is as it would be anyway is left out. */
export function toYaml({ name, definition }: Draft): string {
  const { kind, spec, description, parameters, schedule, retries, timeout_seconds, concurrency, resources } =
    definition;
  const file = {
    job: name,
    kind,
    description: description || undefined,
    spec,
    parameters: parameters?.length ? parameters.map(withoutNothing) : undefined,
    schedule: schedule ?? undefined,
    retries: retries ?? undefined,
    timeout_seconds: timeout_seconds ?? undefined,
    concurrency: same(concurrency, CONCURRENCY) ? undefined : concurrency,
    resources: same(resources, RESOURCES) ? undefined : resources,
  };
  return asYaml(withoutNothing(file));
}

export function asYaml(document: object): string {
  return stringify(document, FOR_ALL);
}

/** What a file says; a Problem tells where it cannot be read. What it means is the server's to judge. */
export function fromYaml(text: string): Draft {
  const read = parsed(text);
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    throw unread("A job is a list of names and values, beginning with `job: its-name`.");
  }
  const { job, ...definition } = read as Record<string, unknown>;
  if (typeof job !== "string")
    throw unread("The file does not say what the job is called. Begin with `job: its-name`.");
  if (typeof definition.kind !== "string")
    throw unread("The file does not say of which kind the job is, such as `kind: sql`.");
  return { name: job, definition: { description: "", spec: {}, ...definition } as Definition };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) throw unread(noYaml(error));
    throw error;
  }
}

function noYaml(error: YAMLParseError): string {
  const line = error.linePos?.[0].line;
  const words = error.message.split("\n")[0]?.replace(/ at line \d+, column \d+:?$/, "");
  return `${line ? `Line ${line} is` : "This is"} no YAML: ${words}`;
}

function unread(message: string): Problem {
  return new Problem(0, "unread", message, "Mend it under YAML: until then nothing can be saved.");
}

function withoutNothing(given: object): object {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
}

function same(one: object | undefined, other: object): boolean {
  return (
    one === undefined ||
    JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
  );
}

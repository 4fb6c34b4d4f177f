type Json = Record<string, unknown>;

export type Check = { name: string; otherwise: string };
export type Outline = {
  from: { format: string; paths: string[] };
  columns: number | undefined;
  derived: string[];
  checks: Check[];
  into: { table: string; mode: string; keys: string[]; partitions: string[] };
};

/** What a spec says, as far as it says it: it is judged where it is run. */
export function outline(spec: Json): Outline {
  const source = object(spec.source);
  const target = object(spec.target);
  const schema = spec.schema === undefined ? undefined : Object.keys(object(spec.schema)).length;
  const fits: Check = { name: "fits the schema", otherwise: text(spec.malformed) ?? "quarantine" };
  return {
    from: { format: text(source.format) ?? "", paths: texts(source.path) },
    columns: schema,
    derived: Object.keys(object(spec.derive)),
    checks: [fits, ...list(spec.expectations).map(object).map(check)],
    into: {
      table: text(target.table) ?? "",
      mode: text(target.mode) ?? "append",
      keys: texts(target.keys),
      partitions: texts(target.partition_by),
    },
  };
}

function check(expectation: Json): Check {
  const name = text(expectation.name) ?? text(expectation.check) ?? "";
  return { name, otherwise: text(expectation.otherwise) ?? "quarantine" };
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): string[] {
  return (typeof value === "string" ? [value] : list(value)).filter((one) => typeof one === "string");
}

/** The fields of a kind's config, out of its JSON schema. */
export type ConfigField = {
  name: string;
  label: string;
  description?: string;
  required: boolean;
  shape: "text" | "long" | "number" | "boolean" | "choice" | "list";
  choices?: string[];
  /** What it is if nothing is given. */
  otherwise?: unknown;
  min?: number;
  max?: number;
};

type Property = {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  anyOf?: Property[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

const ACRONYMS: Record<string, string> = { uri: "URI", url: "URL", ssl: "SSL", tls: "TLS", api: "API" };
// Longer texts than this are certificates and the like, of several lines.
const ONE_LINE = 2000;

export function fieldsOf(schema: Record<string, unknown>): ConfigField[] {
  const required = (schema.required ?? []) as string[];
  return Object.entries(schema.properties as Record<string, Property>).map(([name, given]) => {
    const property = { ...given, ...given.anyOf?.find((one) => one.type !== "null") };
    return {
      name,
      label: labelOf(name),
      description: given.description?.replaceAll("`", ""),
      required: required.includes(name),
      shape: shapeOf(property),
      choices: property.enum,
      otherwise: given.default ?? undefined,
      min: property.minimum,
      max: property.maximum,
    };
  });
}

function shapeOf({ type, enum: choices, maxLength = 0 }: Property): ConfigField["shape"] {
  if (choices) return "choice";
  if (type === "boolean") return "boolean";
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return "list";
  return maxLength > ONE_LINE ? "long" : "text";
}

/** "access_key" as people read it: "Access key". */
export function labelOf(name: string): string {
  const words = name.split("_").map((word) => ACRONYMS[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is sent: without what was left empty, which is then as it would be anyway. */
export function configOf(draft: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(draft).filter(
    ([, value]) => value !== undefined && value !== null && value !== "" && !isEmptyList(value),
  );
  return Object.fromEntries(given);
}

/** The first field that leads elsewhere than before: what is sealed has to be given again then. */
export function leadsElsewhere(
  fields: readonly ConfigField[],
  harmless: readonly string[],
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): ConfigField | undefined {
  const value = (config: Record<string, unknown>, { name, otherwise }: ConfigField) =>
    JSON.stringify(config[name] === "" ? otherwise : (config[name] ?? otherwise));
  return fields.find(
    (field) => !harmless.includes(field.name) && value(before, field) !== value(after, field),
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

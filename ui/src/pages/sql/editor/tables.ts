import { masked } from "./masking";

/** A table that a text names. */
export type NamedTable = {
  /** Without its quotes. */
  name: string;
  alias?: string;
  /** Where its name ends. */
  end: number;
  /** Where it is said as of when, if it is. */
  asOf?: { from: number; to: number };
};

const PART = "(?:`[^`]+`|\\w+)";
const NAME = `${PART}(?:\\s*\\.\\s*${PART})*`;
const AS_OF =
  "\\s+(?:FOR\\s+)?(?:SYSTEM_)?(?:VERSION|TIMESTAMP|TIME)\\s+AS\\s+OF\\s+(?:TIMESTAMP\\s+)?(?:'[^']*'|[\\w.]+)";
// What may stand where an alias would.
const NO_ALIAS =
  "where|join|on|left|right|inner|full|cross|group|order|limit|having|union|intersect|except|using|lateral|tablesample|" +
  "version|timestamp|for|set|values|select|natural|semi|anti|when|qualify|window|as|with|cluster|distribute|sort|partitioned";
const ALIAS = `\\s+(?:AS\\s+)?(?!(?:${NO_ALIAS})\\b)([a-z_]\\w*)`;
const TABLE = new RegExp(
  `\\b(?:FROM|JOIN|INTO|UPDATE|TABLE|USING)\\s+(${NAME})(${AS_OF})?(?:${ALIAS})?`,
  "gi",
);
// What may stand where a table would.
const NO_TABLE = new Set(["select", "lateral", "unnest", "values", "if", "table"]);

export function tablesIn(sql: string): NamedTable[] {
  return [...masked(sql).matchAll(TABLE)].flatMap((match) => {
    const [, name = "", asOf = "", alias] = match;
    const start = match.index + match[0].indexOf(name, 4);
    const end = start + name.length;
    // A function of a table is none.
    if (NO_TABLE.has(name.toLowerCase()) || /^\s*\(/.test(sql.slice(end))) return [];
    return [
      {
        name: plainName(name),
        end,
        asOf: asOf ? { from: end, to: end + asOf.length } : undefined,
        alias,
      },
    ];
  });
}

function plainName(name: string): string {
  return (name.match(/`[^`]+`|\w+/g) ?? []).join(".").replaceAll("`", "");
}

/** A name as SQL takes it: quoted only where it must be. */
export function sqlName(name: string): string {
  const parts = name.split(".");
  return parts.map((part) => (/^[a-z_]\w*$/i.test(part) ? part : `\`${part}\``)).join(".");
}

/** A table's name as SQL takes it, with marks around what is no plain word. */
export function quotedName(name: string): string {
  return name
    .split(".")
    .map((part) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? part : `\`${part.replaceAll("`", "``")}\``))
    .join(".");
}

export function selection(name: string, snapshot?: string, limit = 100): string {
  const asOf = snapshot ? ` VERSION AS OF ${snapshot}` : "";
  return `SELECT * FROM ${quotedName(name)}${asOf} LIMIT ${limit}`;
}

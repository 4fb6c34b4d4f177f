const APART = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\.|''|[^\\'])*(?:'|$)|"(?:\\.|[^\\"])*(?:"|$)/g;

/** The text with comments and what stands in quotes blotted out, every place where it was: what looks like SQL then is SQL. */
export function masked(sql: string): string {
  return sql.replace(APART, (found) => {
    const quote = found[0] === "'" || found[0] === '"' ? found[0] : undefined;
    const inner = found.replace(/[^\n]/g, quote ? "x" : " ");
    return quote && found.length > 1 ? `${quote}${inner.slice(1, -1)}${quote}` : inner;
  });
}

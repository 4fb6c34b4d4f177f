/** A place in a text; line and column count from one. */
export type Place = { line: number; column: number; length: number };

/** Where an error lies, if its message points at it: a line of the statement, and below it carets. */
export function placeOf(message: string, firstLine = 1): Place | undefined {
  const found = /^(line (\d+): ).*\n( *)(\^+)/m.exec(message);
  if (!found) return undefined;
  const [, head = "", line, before = "", carets = ""] = found;
  return {
    line: Number(line) + firstLine - 1,
    column: Math.max(1, before.length - head.length + 1),
    length: carets.length,
  };
}

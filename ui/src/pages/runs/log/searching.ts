import type { LogLine } from "@/api/types";

export type Numbered = { number: number; line: LogLine };

/** Lines by the number they keep, of all attempts or of one. */
export function numbered(lines: readonly LogLine[], attempt: number | undefined): Numbered[] {
  const all = lines.map((line, index) => ({ number: index + 1, line }));
  return attempt === undefined ? all : all.filter(({ line }) => line.attempt === attempt);
}

/** Where in the list the text occurs, whatever its case. */
export function places(lines: readonly Numbered[], text: string): number[] {
  const wanted = text.toLowerCase();
  if (!wanted) return [];
  return lines.flatMap(({ line }, index) => (line.text.toLowerCase().includes(wanted) ? [index] : []));
}

/** A line in pieces, every second of them what was searched for. */
export function pieces(text: string, wanted: string): string[] {
  if (!wanted) return [text];
  const found: string[] = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (
    let next = lower.indexOf(wanted.toLowerCase());
    next >= 0;
    next = lower.indexOf(wanted.toLowerCase(), at)
  ) {
    found.push(text.slice(at, next), text.slice(next, next + wanted.length));
    at = next + wanted.length;
  }
  return [...found, text.slice(at)];
}

/** The line that `#L12` names. */
export function lineOf(hash: string): number | undefined {
  const found = /^#?L(\d{1,9})$/.exec(hash);
  return found ? Number(found[1]) : undefined;
}

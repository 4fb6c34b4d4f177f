/** Text of the address; whatever else somebody wrote there is left out. */
export function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** One of several words, or nothing. */
export function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

/** Words with commas between them, as an address has them. */
export function someOf<Word extends string>(words: readonly Word[], value: unknown): Word[] {
  const given = (text(value) ?? "").split(",");
  return words.filter((word) => given.includes(word));
}

/** Only addresses of this server: a link must not send whoever logs in to somebody else's page. */
export function ownPath(path: string | undefined): string | undefined {
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}

import type { Commands } from "./CopyAs";

/** A request of the API for curl; a token is named, never written out. */
export function curl(path: string, method = "GET", body?: unknown): string {
  const parts = [
    `curl -s ${quoted(`${location.origin}/api/v1${path}`)}`,
    '-H "Authorization: Bearer $BOATHOUSE_TOKEN"',
  ];
  if (body !== undefined) parts.push(`--json ${quoted(JSON.stringify(body))}`);
  if (method !== "GET" && body === undefined) parts.push(`-X ${method}`);
  return parts.join(" ");
}

/** With the line that connects. */
export function python(line: string): string {
  return `from boathouse.client import connect\n\nwith connect() as control:\n    ${line}\n`;
}

export function commands(cli: string | undefined, line: string, request: string): Commands {
  return { cli, python: python(line), curl: request };
}

/** As a shell takes it whole. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

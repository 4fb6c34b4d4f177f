import { oneOf, text } from "@/app/search";

export const RESULTS = [
  "done",
  "forbidden",
  "unauthenticated",
  "invalid-input",
  "not-found",
  "conflict",
  "unavailable",
] as const;

/** What is looked for, as the address has it. */
export type AuditSearch = {
  user?: string;
  action?: string;
  target?: string;
  result?: (typeof RESULTS)[number];
  /** Days, as 2026-01-31, in the browser's time zone; both are within. */
  from?: string;
  to?: string;
  /** The number of the entry that is looked at. */
  entry?: number;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    user: text(search.user),
    action: text(search.action),
    target: text(search.target),
    result: oneOf(RESULTS, search.result),
    from: day(search.from),
    to: day(search.to),
    entry: typeof search.entry === "number" && search.entry > 0 ? search.entry : undefined,
  };
}

export type AuditFilter = {
  user?: string;
  action?: string;
  target?: string;
  result?: string;
  since?: string;
  until?: string;
};

/** What is asked of the server: a day begins and ends where the browser is. */
export function filterOf({ user, action, target, result, from, to }: AuditSearch): AuditFilter {
  return {
    user,
    action,
    target,
    result,
    since: from && new Date(`${from}T00:00:00`).toISOString(),
    until: to && dayAfter(to).toISOString(),
  };
}

function dayAfter(given: string): Date {
  const next = new Date(`${given}T00:00:00`);
  // Not 24 hours: on two days of the year that is another time.
  next.setDate(next.getDate() + 1);
  return next;
}

function day(value: unknown): string | undefined {
  const given = text(value);
  return given && DAY.test(given) && !Number.isNaN(Date.parse(given)) ? given : undefined;
}

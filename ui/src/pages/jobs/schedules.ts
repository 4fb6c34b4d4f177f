import cronstrue from "cronstrue";

/** "At 06:00, Monday through Friday (Europe/Zurich)"; the expression itself where it has no words. */
export function inWords({ cron, timezone }: { cron: string; timezone: string }): string {
  try {
    return `${cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: false })} (${timezone})`;
  } catch {
    return `${cron} (${timezone})`;
  }
}

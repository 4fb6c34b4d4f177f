const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [3600, "minute"],
  [86_400, "hour"],
  [86_400 * 30, "day"],
  [86_400 * 365, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];
const SECONDS: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 86_400 * 30,
  year: 86_400 * 365,
};
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const exact = new Intl.DateTimeFormat("en-CA", {
  dateStyle: "short",
  timeStyle: "medium",
  hourCycle: "h23",
});

/** "3 min ago", "in 2 hr". */
export function ago(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < 5) return "just now";
  const unit = STEPS.find(([below]) => Math.abs(seconds) < below)?.[1] ?? "year";
  return relative.format(Math.trunc(seconds / (SECONDS[unit] ?? 1)), unit).replace(".", "");
}

/** "850 ms", "12.3 s", "4 min 10 s", "2 h 05 min", "3 d 4 h". */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** In the browser's time zone, and with its name, so that nobody has to guess. */
export function exactly(at: Date): string {
  const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" })
    .formatToParts(at)
    .find((part) => part.type === "timeZoneName")?.value;
  return `${exact.format(at).replace(",", "")} ${zone ?? ""}`.trim();
}

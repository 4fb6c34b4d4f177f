const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** "0 B", "820 B", "1.5 KiB", "64 MiB". */
export function bytes(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return "–";
  const step = amount < 1 ? 0 : Math.min(Math.floor(Math.log2(amount) / 10), UNITS.length - 1);
  const value = amount / 1024 ** step;
  const told = step > 0 && value < 10 ? value.toFixed(1).replace(".0", "") : Math.round(value);
  return `${told} ${UNITS[step]}`;
}

/** "12,345". */
export function count(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? "–" : whole.format(amount);
}

/** "12.3K": for where there is little room. */
export function compact(amount: number | null | undefined): string {
  return amount === null || amount === undefined ? "–" : short.format(amount);
}

/** "87 %"; less than one is not none. */
export function share(part: number | null | undefined): string {
  if (part === null || part === undefined) return "–";
  if (part > 0 && part < 0.01) return "< 1 %";
  return `${Math.round(part * 100)} %`;
}

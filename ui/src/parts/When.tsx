import { useNow } from "./clock";
import { ago, duration, exactly } from "./times";

/** A time as people say it; exactly, on hover. */
export function When({ at, none = "never" }: { at: string | null | undefined; none?: string }) {
  const now = useNow();
  if (!at) return <span>{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactly(date)}>
      {ago(date, now)}
    </time>
  );
}

/** How long something took; how long it has been going on, where there is no end yet. */
export function Duration({ from, to }: { from: string | null | undefined; to?: string | null }) {
  if (!from) return <span>–</span>;
  return to ? <Fixed from={from} to={to} /> : <Going from={from} />;
}

function Fixed({ from, to }: { from: string; to: string }) {
  const told = `${exactly(new Date(from))} to ${exactly(new Date(to))}`;
  return <span title={told}>{duration(Date.parse(to) - Date.parse(from))}</span>;
}

function Going({ from }: { from: string }) {
  const now = useNow();
  return <span title={`since ${exactly(new Date(from))}`}>{duration(now.getTime() - Date.parse(from))}</span>;
}

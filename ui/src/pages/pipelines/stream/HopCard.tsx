import { IconArrowNarrowRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Hop, Stream, StreamStatus } from "@/api/types";
import { count } from "@/parts/amounts";
import { duration } from "@/parts/times";
import { When } from "@/parts/When";
import { HopState } from "./HopState";
import { Sparkline } from "./Sparkline";
import classes from "./Stream.module.css";
import { broken, delay, lag, type Point, rate, shownState } from "./status";

type Props = { hop: Hop; status: StreamStatus; stream: Stream | null; points: readonly Point[] };

/** One stretch of the way: how much goes over it, and how far it is behind. */
export function HopCard({ hop, status, stream, points }: Props) {
  const { aims } = status;
  const state = shownState(hop, stream);
  const isOld = state === "silent" || state === "waiting";
  const over = isOld || state === "stopped";
  const bad = over ? new Set<string>() : broken(hop, status.alerts);
  const aim = aims.events_per_second ?? undefined;
  return (
    <article
      className={classes.hop}
      data-state={state}
      data-old={isOld || undefined}
      data-hop={hop.name}
      aria-label={hop.title}
    >
      <header className={classes.head}>
        <h3 className={classes.title}>
          <Title text={hop.title} />
        </h3>
        <HopState state={state} />
      </header>
      <div className={`mono ${classes.to}`} title={hop.to}>
        {hop.to}
      </div>
      <p className={classes.rate} data-bad={bad.has("rate") || undefined}>
        <strong>{over ? "–" : rate(hop.rate)}</strong> events/s
        {aim !== undefined && <span className={classes.of}> of {count(aim)}</span>}
      </p>
      <Sparkline label={`Rate of ${hop.title}`} points={points} aim={aim} />
      <dl className={classes.figures}>
        <Figure name="Events" value={count(hop.events)} />
        <Figure name="Lag" {...lag(hop, aims.lag)} bad={bad.has("lag")} />
        <Figure name="Behind" {...delay(hop, aims.freshness)} bad={bad.has("freshness")} />
        <Figure name="Last batch" value={<Batch hop={hop} />} />
      </dl>
      {hop.error && <p className={classes.error}>{hop.error}</p>}
    </article>
  );
}

/** "Postgres to Kafka", with an arrow for who sees it. */
function Title({ text }: { text: string }) {
  const [from, to] = text.split(" to ");
  if (!to) return text;
  return (
    <>
      {from} <IconArrowNarrowRight size={14} role="img" aria-label="to" className={classes.arrowSign} /> {to}
    </>
  );
}

function Batch({ hop: { batch, batch_seconds, last_at } }: { hop: Hop }) {
  if (batch === null || batch === undefined) return <When at={last_at} none="–" />;
  const took =
    batch_seconds === null || batch_seconds === undefined ? "" : `, ${duration(batch_seconds * 1000)}`;
  return (
    <span title={`Batch ${count(batch)}${took}`}>
      <When at={last_at} none="–" />
      {took}
    </span>
  );
}

type FigureProps = { name: string; value: ReactNode; most?: string; bad?: boolean };

function Figure({ name, value, most, bad }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-bad={bad || undefined}>
        {value}
        {most ? <span className={classes.of}> of {most}</span> : null}
      </dd>
    </div>
  );
}

import { IconArrowDown, IconArrowRight, IconCornerDownRight } from "@tabler/icons-react";
import type { Hop, Stream, StreamStatus } from "@/api/types";
import { HopCard } from "./HopCard";
import classes from "./Stream.module.css";
import type { History } from "./status";

type Props = { status: StreamStatus; stream: Stream | null; history: History };

/** The way of an event: along the lake, and beside it the short one to ClickHouse. */
export function Hops({ status, stream, history }: Props) {
  const along = status.hops.filter((hop) => hop.name !== "speed");
  const beside = status.hops.filter((hop) => hop.name === "speed");
  const card = (hop: Hop) => (
    <HopCard hop={hop} status={status} stream={stream} points={history[hop.name] ?? []} />
  );
  return (
    <div className={classes.hops}>
      <ol className={classes.along} aria-label="Hops into the lake">
        {along.map((hop, place) => (
          <li key={hop.name}>
            {place > 0 && <Arrow />}
            {card(hop)}
          </li>
        ))}
      </ol>
      {beside.length > 0 && (
        <ol className={classes.beside} aria-label="Hops into ClickHouse">
          {beside.map((hop) => (
            <li key={hop.name}>
              <span className={classes.arrow} aria-hidden>
                <IconCornerDownRight size={18} />
              </span>
              {card(hop)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Arrow() {
  return (
    <span className={classes.arrow} aria-hidden>
      <IconArrowRight size={18} className={classes.right} />
      <IconArrowDown size={18} className={classes.down} />
    </span>
  );
}

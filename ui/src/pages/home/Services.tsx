import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useConnection } from "@/app/connection";
import { useNow } from "@/parts/clock";
import { ago } from "@/parts/times";
import { servicesQuery } from "./queries";
import classes from "./Services.module.css";

type Known = {
  name: string;
  title: string;
  state: "well" | "failing" | "asking" | "unknown";
  message: string;
  hint?: string | null;
  milliseconds?: number;
  since?: string;
};

/** How each service is that the control plane can see, and what to do about one that fails. */
export function Services() {
  const { data } = useQuery(servicesQuery);
  const away = useConnection() === "away";
  const itself: Known = {
    name: "control",
    title: "Control plane",
    ...(away ? AWAY : data ? { state: "well", message: "answers" } : ASKING),
    milliseconds: away ? undefined : data?.milliseconds,
  };
  const others: readonly Known[] = data?.services ?? EXPECTED;
  return (
    <ul className={classes.services} aria-label="Services" aria-busy={!data && !away}>
      {[itself, ...others].map((one) => (
        <Service
          key={one.name}
          service={away && one !== itself ? { ...one, ...UNKNOWN, milliseconds: undefined } : one}
        />
      ))}
    </ul>
  );
}

const ASKING = { state: "asking", message: "being asked" } as const;
const UNKNOWN = { state: "unknown", message: "not known", hint: undefined } as const;
const AWAY = {
  state: "failing",
  message: "does not answer",
  hint: "`boathouse status` says how it is, `boathouse logs control` why.",
} as const;
// What nearly every installation has, so that nothing jumps when the answer comes.
const EXPECTED: readonly Known[] = [
  "Control plane's database",
  "Workers",
  "Catalog",
  "Object store",
  "Spark",
].map((title) => ({ name: title, title, ...ASKING }));
const SIGNS = {
  well: IconCircleCheck,
  failing: IconAlertTriangle,
  asking: IconCircleDashed,
  unknown: IconCircleDashed,
};

function Service({ service }: { service: Known }) {
  const { title, state, message, hint, milliseconds } = service;
  const Sign = SIGNS[state];
  return (
    <li className={classes.service} data-state={state}>
      <div className={classes.head}>
        <Sign size={16} aria-label={state} className={classes.sign} />
        <span className={classes.title}>{title}</span>
        {state === "well" && milliseconds !== undefined && (
          <span className={classes.latency} title="Until it answered">
            {milliseconds} ms
          </span>
        )}
      </div>
      <div className={classes.message}>
        {message}
        {state === "failing" && service.since && <Since at={service.since} />}
      </div>
      {hint && <div className={classes.hint}>{asCode(hint)}</div>}
    </li>
  );
}

function Since({ at }: { at: string }) {
  const now = useNow();
  return <span> · seen {ago(new Date(at), now)}</span>;
}

/** What stands between backticks is to be typed. */
function asCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place.
  return text.split("`").map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece));
}

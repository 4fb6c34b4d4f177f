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
  const shown = [itself, ...others.map((one) => (away ? { ...one, ...UNKNOWN } : one))];
  return (
    <section aria-label="Health" className={classes.health}>
      <ul className={classes.services} aria-label="Services" aria-busy={!data && !away}>
        {shown.map((one) => (
          <Service key={one.name} service={one} />
        ))}
      </ul>
      {[...Map.groupBy(shown.filter(isFailing), ({ message }) => message).values()].map((alike) => (
        <Failure key={alike[0]?.message} services={alike} />
      ))}
    </section>
  );
}

function isFailing({ state }: Known): boolean {
  return state === "failing";
}

const ASKING = { state: "asking", message: "being asked" } as const;
const UNKNOWN = { state: "unknown", message: "not known", milliseconds: undefined } as const;
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

function Service({ service: { title, state, message, milliseconds } }: { service: Known }) {
  const Sign = SIGNS[state];
  return (
    <li className={classes.service} data-state={state}>
      <Sign size={16} aria-label={state} className={classes.sign} />
      <div className={classes.told}>
        <div className={classes.title}>{title}</div>
        <div className={classes.message} title={message}>
          {state === "failing" ? "failing" : message}
          {state === "well" && milliseconds !== undefined && ` · ${milliseconds} ms`}
        </div>
      </div>
    </li>
  );
}

/** What is wrong with one, or with several for one reason, and what to do. */
function Failure({ services }: { services: readonly Known[] }) {
  const [{ message, hint, since } = { message: "" } as Known] = services;
  return (
    <div role="alert" className={classes.failure}>
      <p>
        <b>{services.map(({ title }) => title).join(", ")}</b>
        {since && <Since at={since} />}: {message}
      </p>
      {hint && <p className={classes.hint}>{asCode(hint)}</p>}
    </div>
  );
}

function Since({ at }: { at: string }) {
  const now = useNow();
  return <span> ({ago(new Date(at), now)})</span>;
}

/** What stands between backticks is to be typed. */
function asCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name than their place.
  return text.split("`").map((piece, place) => (place % 2 ? <code key={place}>{piece}</code> : piece));
}

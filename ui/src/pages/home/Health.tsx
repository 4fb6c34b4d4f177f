import { useQuery } from "@tanstack/react-query";
import classes from "./Health.module.css";

type Told = { status: string; reason?: string };

/** Whether the services answer that the control plane can speak for. */
export function Health() {
  const { data, isPending } = useQuery({ queryKey: ["ready"], queryFn: ready, refetchInterval: 5_000 });
  const well = data?.status === "ready";
  return (
    <ul className={classes.services} aria-label="Services">
      <li className={classes.service}>
        <span className={classes.dot} data-well={isPending ? undefined : well} aria-hidden />
        Control plane and its database: {isPending ? "asking" : (data?.reason ?? data?.status ?? "no answer")}
      </li>
    </ul>
  );
}

async function ready(): Promise<Told> {
  try {
    const answer = await fetch("/readyz", { cache: "no-store" });
    return (await answer.json()) as Told;
  } catch {
    return { status: "no answer" };
  }
}

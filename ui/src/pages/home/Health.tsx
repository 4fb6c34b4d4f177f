import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { useConnection } from "@/app/connection";
import classes from "./Health.module.css";

type Ready = { status: string; reason?: string };
type Service = { name: string; well: boolean | undefined; said: string };

const OFTEN = 5_000;

/** Whether the services are well that the control plane can speak for. */
export function Health() {
  const services = [useControlPlane(), useWorkers()];
  return (
    <ul className={classes.services} aria-label="Services">
      {services.map(({ name, well, said }) => (
        <li key={name} className={classes.service}>
          <span className={classes.dot} data-well={well} aria-hidden />
          {name}: {said}
        </li>
      ))}
    </ul>
  );
}

function useControlPlane(): Service {
  const { data } = useQuery({ queryKey: ["ready"], queryFn: ready, refetchInterval: OFTEN });
  const said = data ? (data.reason ?? data.status) : "asking";
  return { name: "Control plane and its database", well: data && data.status === "ready", said };
}

function useWorkers(): Service {
  const away = useConnection() === "away";
  const { data } = useQuery({
    queryKey: ["workers"],
    queryFn: () => told(api.GET("/api/v1/workers")),
    refetchInterval: OFTEN,
  });
  const name = "Workers";
  if (!data || away) return { name, well: undefined, said: away ? "not known" : "asking" };
  if (data.workers === 0) {
    return {
      name,
      well: false,
      said: "none, so no run begins. `boathouse up` or `boathouse worker` starts one",
    };
  }
  return { name, well: true, said: `${data.workers}, busy with ${data.running} of ${data.slots} runs` };
}

async function ready(): Promise<Ready> {
  try {
    const answer = await fetch("/readyz", { cache: "no-store" });
    return (await answer.json()) as Ready;
  } catch {
    return { status: "no answer" };
  }
}

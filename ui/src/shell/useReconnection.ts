import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { connection, useConnection } from "@/app/connection";

const PAUSE = 1500;

/** While the control plane is away it is asked until it is back; then whatever is shown is asked for anew. */
export function useReconnection(): void {
  const state = useConnection();
  const queries = useQueryClient();
  useEffect(() => {
    if (state !== "away") return;
    const timer = setInterval(async () => {
      if (!(await isReady())) return;
      connection.answered();
      await queries.invalidateQueries();
    }, PAUSE);
    return () => clearInterval(timer);
  }, [state, queries]);
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch("/readyz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

import { useSyncExternalStore } from "react";
import type { Problem } from "@/api/problem";

export type Connection = "here" | "away" | "logged-out";

/** Whether the control plane answers, and whether it still knows who we are. */
class Watch {
  private state: Connection = "here";
  private readonly listeners = new Set<() => void>();

  failed(problem: Problem): void {
    if (problem.isAway) this.become("away");
    else if (problem.isLoggedOut) this.become("logged-out");
  }

  answered(): void {
    this.become("here");
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  current = (): Connection => this.state;

  private become(state: Connection): void {
    if (state === this.state) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const connection = new Watch();

export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, connection.current);
}

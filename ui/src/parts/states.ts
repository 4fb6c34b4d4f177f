import type { State } from "@/api/types";

export const STATES: readonly State[] = [
  "pending",
  "starting",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "timed-out",
];
export const UNDER_WAY: readonly State[] = ["pending", "starting", "running"];

export function isOver(state: State): boolean {
  return !UNDER_WAY.includes(state);
}

export function wentWrong(state: State): boolean {
  return state === "failed" || state === "timed-out";
}

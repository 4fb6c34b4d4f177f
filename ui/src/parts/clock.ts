import { useSyncExternalStore } from "react";

// One clock for the whole page: a thousand rows with a clock of their own would each wake the browser.
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function tick(): void {
  now = new Date();
  for (const listener of listeners) listener();
}

/** While nobody looked the clock stood still: what happened meanwhile would lie in its future. */
function time(): Date {
  if (timer === undefined && Date.now() - now.getTime() >= 1000) now = new Date();
  return now;
}

/** The time, every second. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, time);
}

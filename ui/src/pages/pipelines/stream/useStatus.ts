import { useEffect, useState } from "react";
import type { Stream, StreamStatus } from "@/api/types";
import { type History, isUnderWay, withRates } from "./status";

/** Of one attempt: what the one before told is over with it. */
type Live = { of: string; status: StreamStatus | null; history: History };

/** How a stream fares, as it is told once a second, and the rates since one looks. */
export function useStatus(workspace: string, stream: Stream | null): Omit<Live, "of"> {
  const run = stream?.run_id ?? "";
  const attempt = stream?.attempt ?? 0;
  const of = `${run}/${attempt}`;
  const follow = isUnderWay(stream);
  const [live, setLive] = useState<Live>({ of, status: null, history: {} });
  useEffect(() => {
    if (!follow) return;
    const source = new EventSource(
      `/api/v1/workspaces/${encodeURIComponent(workspace)}/runs/${encodeURIComponent(run)}/progress/stream`,
    );
    source.addEventListener("progress", (event) => {
      const told = (JSON.parse((event as MessageEvent<string>).data) as { stream?: StreamStatus }).stream;
      if (told) setLive(({ history }) => ({ of, status: told, history: withRates(history, told) }));
    });
    // The browser would come again and be told of the end each time.
    source.addEventListener("end", () => source.close());
    return () => source.close();
  }, [workspace, run, of, follow]);
  const asked = stream?.status ?? null;
  const status = live.of === of ? newer(live.status, asked) : asked;
  return { status, history: live.history };
}

function newer(one: StreamStatus | null, other: StreamStatus | null): StreamStatus | null {
  if (!one || !other) return one ?? other;
  return Date.parse(one.at) >= Date.parse(other.at) ? one : other;
}

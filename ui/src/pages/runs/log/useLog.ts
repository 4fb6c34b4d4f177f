import { useEffect, useState } from "react";
import { type Log, LogStream } from "./logStream";

const NOTHING: Log = { lines: [], over: false, connected: false };

/** The log of a run; asked for anew with each attempt, for a stream ends with the run. */
export function useLog(workspace: string, run: string, attempt: number): Log {
  const [log, setLog] = useState<Log>(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt goes on where the log had ended.
  useEffect(() => {
    const path = `/api/v1/workspaces/${encodeURIComponent(workspace)}/runs/${encodeURIComponent(run)}/logs/stream`;
    const stream = new LogStream(path, setLog);
    return () => stream.close();
  }, [workspace, run, attempt]);
  return log;
}

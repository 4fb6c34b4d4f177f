import type { Reject } from "@/api/types";
import classes from "./Rejects.module.css";

type Placed = Pick<Reject, "file" | "line">;

const SCHEME = "kafka://";

/** The topic and the partition, if it was an event of a stream. */
export function topicOf({ file }: Placed): { topic: string; partition: string } | null {
  if (!file.startsWith(SCHEME)) return null;
  const end = file.lastIndexOf("/");
  return { topic: file.slice(SCHEME.length, end), partition: file.slice(end + 1) };
}

/** Without a comma in the line's number: it is typed into an editor. */
export function place(placed: Placed): string {
  return placed.line === null ? name(placed) : `${name(placed)}:${placed.line}`;
}

/** The same, with all that is known. */
export function wherefrom(placed: Placed): string {
  const { file, line } = placed;
  const stream = topicOf(placed);
  if (stream) return `${stream.topic}, partition ${stream.partition}, offset ${line ?? "–"}`;
  return `${file}, line ${line ?? "–"}`;
}

/** However long the name is, the line is seen. */
export function Place({ reject }: { reject: Placed }) {
  return (
    <span className={classes.place}>
      <span className={classes.words}>{name(reject)}</span>
      {reject.line !== null && <span>:{reject.line}</span>}
    </span>
  );
}

/** The last part of a file's address, which is what people call it; a topic with its partition. */
function name(placed: Placed): string {
  const stream = topicOf(placed);
  return stream ? `${stream.topic}/${stream.partition}` : (placed.file.split("/").at(-1) ?? placed.file);
}

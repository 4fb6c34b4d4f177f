import type { Reject, RejectInFull } from "@/api/types";
import classes from "./Rejects.module.css";

type Placed = Pick<Reject, "file" | "line">;

const SCHEME = "kafka://";

/** The topic and the partition, if it was an event of a stream. */
export function topicOf({ file }: Placed): { topic: string; partition: string } | null {
  if (!file.startsWith(SCHEME)) return null;
  const end = file.lastIndexOf("/");
  return { topic: file.slice(SCHEME.length, end), partition: file.slice(end + 1) };
}

/** In the place of what stood there. */
export function lacking(placed: Placed): string {
  return topicOf(placed) ? "(an event without a value, a tombstone)" : "(a file, not a line of one)";
}

/** Whether what is shown of it is not all of it: an event in Avro is none even where its bytes happen to be one. */
export function isNoText({
  raw,
  raw_base64,
  form,
}: Pick<RejectInFull, "raw" | "raw_base64" | "form">): boolean {
  return raw_base64 !== null || (form === "base64" && raw !== null);
}

/** What is to be known of one that is no text. */
export function ofBytes(placed: Placed): string {
  const shown = "Its bytes are no text; what cannot be shown is replaced.";
  return topicOf(placed)
    ? `${shown} A replay takes them as they stood, unless it is mended.`
    : `${shown} It can be replayed only once it is mended.`;
}

/** Whether a replay has something to judge: an event without a value is one too, and a file is no row. */
export function canReplay(reject: Placed & Pick<Reject, "raw" | "mended">): boolean {
  return topicOf(reject) !== null || Boolean((reject.mended ?? reject.raw)?.trim());
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

/** However long the name is, the line is seen, and of a topic what tells it from the others beside it. */
export function Place({ reject }: { reject: Placed }) {
  const [before, own] = parted(reject);
  return (
    <span className={classes.place}>
      {before && <span className={`${classes.words} ${classes.before}`}>{before}</span>}
      <span className={classes.words}>{own}</span>
      {reject.line !== null && <span>:{reject.line}</span>}
    </span>
  );
}

/** What names of topics have in common, with the last dot, and what is a topic's own; of a file all of it is its own. */
export function parted(placed: Placed): [string, string] {
  const stream = topicOf(placed);
  const end = stream ? stream.topic.lastIndexOf(".") + 1 : 0;
  return [name(placed).slice(0, end), name(placed).slice(end)];
}

/** The last part of a file's address, which is what people call it; a topic with its partition. */
export function name(placed: Placed): string {
  const stream = topicOf(placed);
  return stream ? `${stream.topic}/${stream.partition}` : (placed.file.split("/").at(-1) ?? placed.file);
}

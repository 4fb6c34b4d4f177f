import { CloseButton, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SnapshotDiff } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { exactly } from "@/parts/times";
import { diffQuery } from "../../queries";
import { Changes } from "../Changes";
import classes from "./Snapshots.module.css";

type Props = { name: string; workspace: string; before: string; after: string; onClose: () => void };

/** What is different between two snapshots. */
export function Compare({ name, workspace, before, after, onClose }: Props) {
  const { data: diff, error } = useQuery(diffQuery(workspace, name, before, after));
  return (
    <Section title="What changed" actions={<CloseButton aria-label="Compare no longer" onClick={onClose} />}>
      {error && <ProblemNote problem={error} />}
      {!diff && !error && <Skeleton height={120} />}
      {diff && <Difference diff={diff} />}
    </Section>
  );
}

function Difference({ diff }: { diff: SnapshotDiff }) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        From <span className="mono">{diff.before}</span> ({exactly(new Date(diff.before_at))}) to{" "}
        <span className="mono">{diff.after}</span> ({exactly(new Date(diff.after_at))})
      </Text>
      <dl className={classes.counts}>
        <Count name="Rows" change={diff.counts.rows} told={count} />
        <Count name="Data files" change={diff.counts.files} told={count} />
        <Count name="Delete files" change={diff.counts.delete_files} told={count} />
        <Count name="Size" change={diff.counts.bytes} told={bytes} />
      </dl>
      {diff.columns.length > 0 && <Changes changes={diff.columns} />}
      <FileChanges what="added" changed={diff.added} />
      <FileChanges what="removed" changed={diff.removed} />
      {!diff.complete && <Text size="sm">There are more files than are compared at once.</Text>}
    </Stack>
  );
}

type CountProps = {
  name: string;
  change: SnapshotDiff["counts"][string] | undefined;
  told: (amount: number | null) => string;
};

function Count({ name, change, told }: CountProps) {
  if (!change || (change.before === null && change.after === null)) return null;
  const by = (change.after ?? 0) - (change.before ?? 0);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {told(change.before)} → {told(change.after)}{" "}
        {by !== 0 && (
          <span className={by > 0 ? classes.plus : classes.minus}>
            {by > 0 ? "+" : "−"}
            {told(Math.abs(by))}
          </span>
        )}
      </dd>
    </div>
  );
}

function FileChanges({ what, changed }: { what: "added" | "removed"; changed: SnapshotDiff["added"] }) {
  if (changed.files === 0)
    return (
      <Text size="sm" c="dimmed">
        No file was {what}.
      </Text>
    );
  const more = changed.files - changed.first.length;
  return (
    <details>
      <summary>
        {count(changed.files)} {changed.files === 1 ? "file" : "files"} {what}: {count(changed.rows)} rows,{" "}
        {bytes(changed.bytes)}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <ul className={classes.paths} tabIndex={0}>
        {changed.first.map((file) => (
          <li key={file.path} className="mono">
            {file.path} ({count(file.rows)} rows, {bytes(file.bytes)})
          </li>
        ))}
        {more > 0 && <li>and {count(more)} more</li>}
      </ul>
    </details>
  );
}

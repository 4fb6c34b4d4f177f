import { Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { RejectInFull } from "@/api/types";
import { useMay } from "@/app/session";
import { KeyValue } from "@/parts/KeyValue";
import { ProblemNote } from "@/parts/ProblemNote";
import { When } from "@/parts/When";
import { useMend, useReopen, useReplay } from "./changes";
import { canReplay, isNoText, lacking, ofBytes, topicOf } from "./place";
import classes from "./Rejects.module.css";
import { DiscardDialog } from "./Selected";

type Props = { workspace: string; job: string; reject: RejectInFull; onDone: () => void };

export function RejectView(props: Props) {
  const { reject } = props;
  return (
    <Stack gap="md">
      {reject.state === "open" && (
        <div className={classes.why} role="note" aria-label="Reason">
          {reject.reason}
        </div>
      )}
      <div>
        <Label>{topicOf(reject) ? "As it stood in the topic" : "As it stood in the file"}</Label>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
        <pre className={`mono ${classes.raw}`} tabIndex={0}>
          {reject.raw ?? lacking(reject)}
        </pre>
        {isNoText(reject) && (
          <Text size="xs" c="dimmed" mt={4}>
            {ofBytes(reject)}
          </Text>
        )}
      </div>
      <Mending {...props} />
      <KeyValue entries={facts(reject)} />
    </Stack>
  );
}

function Label({ children }: { children: string }) {
  return (
    <Title order={3} size="h6" mb={4}>
      {children}
    </Title>
  );
}

function Mending({ workspace, job, reject, onDone }: Props) {
  const mayMend = useMay(workspace, "editor");
  const mayReplay = useMay(workspace, "runner");
  const reopen = useReopen(workspace, job);
  if (reject.state === "discarded" && mayMend)
    return (
      <Group>
        <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate([reject.id])}>
          Open it again
        </Button>
        {reopen.error && <ProblemNote problem={reopen.error} />}
      </Group>
    );
  if (reject.state !== "open" || !mayMend) return <AsMended reject={reject} />;
  return <Editor workspace={workspace} job={job} reject={reject} mayReplay={mayReplay} onDone={onDone} />;
}

function AsMended({ reject }: { reject: RejectInFull }) {
  if (reject.mended === null) return null;
  return (
    <div>
      <Label>{reject.form === "base64" ? "As it was mended, in base64" : "As it was mended"}</Label>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre className={`mono ${classes.raw}`} tabIndex={0}>
        {reject.mended}
      </pre>
    </div>
  );
}

function Editor({ workspace, job, reject, mayReplay, onDone }: Props & { mayReplay: boolean }) {
  const before = reject.edit;
  const [text, setText] = useState(before);
  const [asked, ask] = useDisclosure(false);
  const mend = useMend(workspace, job, reject.id);
  const replay = useReplay(workspace, job);
  const changed = text !== before;
  const send = () => replay.mutate({ ids: [reject.id] });
  const problem = mend.error ?? replay.error;
  return (
    <Stack gap="sm">
      <Textarea
        label={
          reject.form === "base64"
            ? "As it should be: the bytes of the whole event, in base64"
            : "As it should be"
        }
        autosize
        minRows={2}
        maxRows={14}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        classNames={{ input: "mono" }}
      />
      {problem && <ProblemNote problem={problem} />}
      <Group gap="xs">
        {mayReplay && (
          <Button
            disabled={changed ? !text.trim() : !canReplay(reject)}
            loading={mend.isPending || replay.isPending}
            onClick={() => (changed ? mend.mutate(text, { onSuccess: send }) : send())}
          >
            {changed ? "Save and replay" : "Replay"}
          </Button>
        )}
        <Button variant="default" disabled={!changed || !text.trim()} onClick={() => mend.mutate(text)}>
          Save
        </Button>
        <Button variant="default" onClick={ask.open}>
          Discard
        </Button>
      </Group>
      <DiscardDialog
        workspace={workspace}
        job={job}
        chosen={{ ids: [reject.id] }}
        which="this row"
        opened={asked}
        onClose={ask.close}
        onDone={onDone}
      />
    </Stack>
  );
}

function origin(reject: RejectInFull) {
  const stream = topicOf(reject);
  if (stream)
    return {
      Topic: <span className="mono">{stream.topic}</span>,
      Partition: stream.partition,
      Offset: reject.line?.toLocaleString("en"),
    };
  return { File: <span className="mono">{reject.file}</span>, Line: reject.line?.toLocaleString("en") };
}

function facts(reject: RejectInFull) {
  return {
    State: reject.state,
    ...origin(reject),
    Reason: reject.state === "open" ? undefined : reject.reason,
    Note: reject.note ?? undefined,
    Rejected: <When at={reject.rejected_at} />,
    Load: <span className="mono">{reject.load_id}</span>,
    "Last replay": reject.replay_id ? <span className="mono">{reject.replay_id}</span> : undefined,
    Changed: reject.changed_at ? (
      <>
        <When at={reject.changed_at} /> by {reject.changed_by ?? "somebody"}
      </>
    ) : undefined,
  };
}

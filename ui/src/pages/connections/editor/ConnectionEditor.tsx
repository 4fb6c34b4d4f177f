import { Button, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Connection, ConnectionKind, Tested } from "@/api/types";
import { Mark } from "@/parts/Mark";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { TestSteps } from "@/parts/TestSteps";
import { type ConnectionDraft, ConnectionForm } from "./ConnectionForm";

/** What saving and testing come down to, whether it is new or not. */
export type Sending = {
  send: (draft: ConnectionDraft) => void;
  busy: boolean;
  problem: unknown;
};

type Props = {
  title: string;
  kind: ConnectionKind;
  first: ConnectionDraft;
  saved?: Connection;
  save: Sending & { label: string };
  test: Sending & { tested: Tested | undefined };
  beside?: ReactNode;
};

/** Write, test, save; what was tested is what is written, not what is saved. */
export function ConnectionEditor({ title, kind, first, saved, save, test, beside }: Props) {
  const [draft, setDraft] = useState(first);
  const changed = JSON.stringify(draft) !== JSON.stringify(first);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname &&
      changed &&
      !window.confirm("Leave without saving what you changed?"),
    enableBeforeUnload: () => changed,
  });
  const actions = (
    <>
      {beside}
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={14} aria-hidden />}
        loading={test.busy}
        onClick={() => test.send(draft)}
        disabled={!draft.name}
        title={draft.name ? "Connect with what is written here, without saving it" : "Give it a name first"}
      >
        Test
      </Button>
      <Button
        loading={save.busy}
        onClick={() => save.send(draft)}
        disabled={!draft.name || !(changed || !saved)}
      >
        {save.label}
      </Button>
    </>
  );
  const problem = save.problem ?? test.problem;
  return (
    <Page title={title} beside={<Mark>{kind.title}</Mark>} actions={actions}>
      {problem ? <ProblemNote problem={problem} /> : null}
      {(test.busy || test.tested) && (
        <Section title="Test of what is written here">
          {test.busy || !test.tested ? (
            <Text size="sm" c="dimmed" role="status">
              Connecting, step by step …
            </Text>
          ) : (
            <TestSteps tested={test.tested} label="Test of what is written here" />
          )}
        </Section>
      )}
      <ConnectionForm kind={kind} draft={draft} saved={saved} problem={problem} onChange={setDraft} />
    </Page>
  );
}

import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { CodeEditor, DiffView } from "@/parts/code";
import { EmptyState } from "@/parts/EmptyState";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { UrlTabs } from "@/parts/UrlTabs";
import { type Draft, fromYaml, toYaml } from "../definition";
import { JobForm } from "./JobForm";
import { useSave } from "./useSave";

const TABS = [
  { value: "form", label: "Form" },
  { value: "yaml", label: "YAML" },
  { value: "changes", label: "Changes" },
];

type Props = { workspace: string; title: string; first: Draft; tab: string; isNew?: boolean };

/** A form and the same job as a file: what is written in one is in the other. */
export function JobEditor({ workspace, title, first, tab, isNew }: Props) {
  const original = isNew ? "" : toYaml(first);
  const [draft, setDraft] = useState<Draft>(first);
  const [text, setText] = useState(toYaml(first));
  const [unread, setUnread] = useState<Error>();
  const save = useSave(workspace);
  const changed = text !== toYaml(first);
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname &&
      changed &&
      !window.confirm("Leave without saving what you changed?"),
    enableBeforeUnload: () => changed,
  });
  const fromForm = (next: Draft) => {
    setDraft(next);
    setText(toYaml(next));
    setUnread(undefined);
  };
  const fromText = (next: string) => {
    setText(next);
    try {
      setDraft(fromYaml(next));
      setUnread(undefined);
    } catch (error) {
      setUnread(error as Error);
    }
  };
  const saving = () => save.mutate(isNew ? draft : { ...draft, name: first.name });
  const button = (
    <Button
      onClick={saving}
      loading={save.isPending}
      disabled={Boolean(unread) || !(changed || isNew) || !draft.name}
    >
      {isNew ? "Create the job" : "Save as a new version"}
    </Button>
  );
  return (
    <Page title={title} actions={button}>
      {save.error && <ProblemNote problem={save.error} />}
      {unread && <ProblemNote problem={unread} />}
      <UrlTabs label="Ways to write it" tabs={TABS} current={tab} />
      {tab === "form" && <JobForm draft={draft} onChange={fromForm} isNew={isNew ?? false} />}
      {tab === "yaml" && (
        <CodeEditor
          label="The job as a file"
          language="yaml"
          value={text}
          onChange={fromText}
          height="60dvh"
        />
      )}
      {tab === "changes" && <Changes before={original} after={text} changed={changed || Boolean(isNew)} />}
    </Page>
  );
}

function Changes({ before, after, changed }: { before: string; after: string; changed: boolean }) {
  if (!changed)
    return (
      <EmptyState title="Nothing is changed yet">
        What you change is shown here before you save it.
      </EmptyState>
    );
  return <DiffView label="What saving would change" language="yaml" before={before} after={after} />;
}

import { Button } from "@mantine/core";
import { Link, useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { CodeEditor, DiffView } from "@/parts/code";
import { EmptyState } from "@/parts/EmptyState";
import { fieldProblems } from "@/parts/fieldProblems";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { UrlTabs } from "@/parts/UrlTabs";
import { type Draft, fromYaml, toYaml } from "../definition";
import { JobForm, TELLING } from "./JobForm";
import { Overtaken } from "./Overtaken";
import { isConflict, useSave } from "./useSave";

const TABS = [
  { value: "form", label: "Form" },
  { value: "yaml", label: "YAML" },
  { value: "changes", label: "Changes" },
];

type Props = {
  workspace: string;
  title: string;
  first: Draft;
  tab: string;
  /** The version that is changed; a new job has none. */
  base?: number;
};

/** A form and the same job as a file: what is written in one is in the other. */
export function JobEditor({ workspace, title, first, tab, base }: Props) {
  const isNew = base === undefined;
  const [draft, setDraft] = useState<Draft>(first);
  const [text, setText] = useState(toYaml(first));
  const [unread, setUnread] = useState<Error>();
  const save = useSave(workspace, base);
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
    save.reset();
  };
  const fromText = (next: string) => {
    setText(next);
    save.reset();
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
  const problem = isNew ? withNameTaken(save.error) : save.error;
  return (
    <Page title={title} actions={button}>
      {isConflict(problem) && !isNew && <Overtaken workspace={workspace} job={first.name} base={base} />}
      {problem && <ProblemNote problem={problem} told={tab === "form" ? TELLING : []} />}
      {unread && <ProblemNote problem={unread} />}
      <UrlTabs label="Ways to write it" tabs={TABS} current={tab} />
      {tab === "form" && unread && <MendFirst />}
      {tab === "form" && !unread && (
        <JobForm draft={draft} onChange={fromForm} isNew={isNew} problem={fieldProblems(problem)} />
      )}
      {tab === "yaml" && (
        <CodeEditor
          label="The job as a file"
          language="yaml"
          value={text}
          onChange={fromText}
          height="60dvh"
        />
      )}
      {tab === "changes" && (
        <Changes before={isNew ? "" : toYaml(first)} after={text} changed={changed || isNew} />
      )}
    </Page>
  );
}

/** A name that is taken is told where the name is. */
function withNameTaken(error: Error | null): Error | null {
  if (!isConflict(error)) return error;
  const { status, code, message, hint, requestId } = Problem.of(error);
  return new Problem(status, code, message, hint, requestId, { name: `${message} Choose another name.` });
}

/** The form would show what the file said before. */
function MendFirst() {
  return (
    <EmptyState title="The YAML must be mended first">
      The form shows what the file says, and now it cannot be read.{" "}
      <Link to="." search={((before: object) => ({ ...before, tab: "yaml" })) as never} replace>
        Go to the YAML
      </Link>
    </EmptyState>
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

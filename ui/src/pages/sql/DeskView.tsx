import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { isOver } from "@/parts/states";
import { DeskTabs } from "./desk/DeskTabs";
import type { Asked, Tab } from "./desk/desk";
import { Splitter } from "./desk/Splitter";
import { useDesk } from "./desk/useDesk";
import { placeOf } from "./editor/errorPlace";
import type { EditorHandle } from "./editor/SqlEditor";
import { Values } from "./editor/Values";
import { Outcome } from "./outcome/Outcome";
import { watchedRunQuery } from "./queries";
import classes from "./SqlPage.module.css";
import { Toolbar } from "./toolbar/Toolbar";
import { useAsk, useCancel } from "./useAsking";
import { useOpening } from "./useOpening";

// CodeMirror is as large as the rest of the application: the page is there before it.
const SqlEditor = lazy(() => import("./editor/SqlEditor"));

/** The texts of a user in a workspace, and what became of the one that is looked at. */
export function DeskView({ workspace }: { workspace: string }) {
  const { desk, tab, open, add, show, close, change, resize } = useDesk(workspace);
  const [closing, setClosing] = useState<Tab>();
  const editor = useRef<EditorHandle>(null);
  useOpening(workspace, open);
  const onAsked = useCallback((id: string, asked: Asked) => change(id, { asked }), [change]);
  const ask = useAsk(workspace, onAsked);
  const cancel = useCancel(workspace, tab.asked);
  const run = useQuery({
    ...watchedRunQuery(workspace, tab.asked?.run ?? ""),
    enabled: tab.asked !== undefined,
  });
  const isRunning = tab.asked !== undefined && run.data !== undefined && !isOver(run.data.state);
  const isAsking = ask.isPending && ask.variables.tab.id === tab.id;
  const refusal = ask.variables?.tab.id === tab.id ? ask.error : null;
  const failure = run.data?.state === "failed" ? run.data.error : null;
  const firstLine = tab.asked?.line ?? 1;
  const place = useMemo(() => (failure ? placeOf(failure, firstLine) : undefined), [failure, firstLine]);
  const onRun = () => {
    const chosen = editor.current?.chosen();
    if (chosen && chosen.sql.trim() !== "" && !isRunning && !isAsking) ask.mutate({ tab, chosen });
  };
  const changeThis = (part: Partial<Tab>) => change(tab.id, part);
  return (
    <div className={classes.page}>
      <div className={classes.desk}>
        <DeskTabs
          desk={desk}
          current={tab.id}
          onShow={show}
          onAdd={add}
          onClose={(one) =>
            one.saved || one.asked || one.sql.trim() === "" ? close(one.id) : setClosing(one)
          }
        />
        <Toolbar
          workspace={workspace}
          tab={tab}
          isAsking={isAsking}
          isRunning={isRunning}
          isCancelling={cancel.isPending || Boolean(run.data?.stop_by)}
          onRun={onRun}
          onCancel={() => cancel.mutate()}
          onChange={changeThis}
        />
        <div className={classes.editor} style={{ height: desk.height }}>
          <Suspense fallback={<Skeleton height="100%" radius={0} />}>
            <SqlEditor
              key={tab.id}
              workspace={workspace}
              value={tab.sql}
              error={place}
              onChange={(sql) => changeThis({ sql })}
              onRun={onRun}
              handle={editor}
            />
          </Suspense>
        </div>
        <Values tab={tab} onChange={changeThis} />
      </div>
      <Splitter height={desk.height} onResize={resize} />
      <section aria-label="What it returned" className={classes.outcome}>
        <Outcome
          workspace={workspace}
          tab={tab}
          run={run}
          refusal={refusal}
          place={place}
          onGoTo={(to) => editor.current?.goTo(to)}
        />
      </section>
      <ConfirmDialog
        opened={closing !== undefined}
        title="Close this tab?"
        confirm="Close it"
        dangerous
        onConfirm={() => {
          if (closing) close(closing.id);
          setClosing(undefined);
        }}
        onClose={() => setClosing(undefined)}
      >
        Its text was neither run nor saved, and is nowhere else.
      </ConfirmDialog>
    </div>
  );
}

import { autocompletion, closeCompletion } from "@codemirror/autocomplete";
import { keywordCompletionSource, sql } from "@codemirror/lang-sql";
import { Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder, ViewPlugin } from "@codemirror/view";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import Editor from "@/parts/code/Editor";
import { catalogCompletion } from "./completion";
import { lakeSql } from "./dialect";
import { errorMark, goTo, markError } from "./errorMark";
import type { Place } from "./errorPlace";

/** What is to be run: what is selected, or all of it; and the line on which that begins. */
export type Chosen = { sql: string; line: number };
export type EditorHandle = { chosen: () => Chosen; goTo: (place: Place) => void };

type Props = {
  workspace: string;
  value: string;
  error: Place | undefined;
  onChange: (sql: string) => void;
  onRun: () => void;
  handle: RefObject<EditorHandle | null>;
};

export default function SqlEditor({ workspace, value, error, onChange, onRun, handle }: Props) {
  const queries = useQueryClient();
  const view = useRef<EditorView>(null);
  const run = useRef(onRun);
  run.current = onRun;
  const extensions = useMemo(
    () => [
      sql({ dialect: lakeSql }),
      autocompletion({
        override: [catalogCompletion(workspace, queries), keywordCompletionSource(lakeSql, true)],
        icons: false,
      }),
      errorMark,
      Prec.high(LOOK),
      placeholder("SELECT * FROM …"),
      Prec.highest(keymap.of([{ key: "Mod-Enter", run: (at) => handled(at, run.current) }])),
      ViewPlugin.define((made) => {
        view.current = made;
        return {};
      }),
    ],
    [workspace, queries],
  );
  useEffect(() => {
    handle.current = {
      chosen: () => chosen(view.current),
      goTo: (place) => view.current && goTo(view.current, place),
    };
  }, [handle]);
  useEffect(() => view.current?.dispatch({ effects: markError.of(error) }), [error]);
  return (
    <Editor
      label="SQL"
      language="text"
      value={value}
      onChange={onChange}
      extensions={extensions}
      height="100%"
      bare
    />
  );
}

function handled(view: EditorView, run: () => void): boolean {
  closeCompletion(view);
  run();
  return true;
}

function chosen(view: EditorView | null): Chosen {
  if (!view) return { sql: "", line: 1 };
  const { from, to } = view.state.selection.main;
  const selected = view.state.sliceDoc(from, to);
  if (selected.trim() === "") return { sql: view.state.doc.toString(), line: 1 };
  return { sql: selected, line: view.state.doc.lineAt(from).number };
}

const LOOK = EditorView.theme({
  // The frame around it says where one is; here the gutter would hide half of the line.
  "&.cm-focused": { outline: "none" },
  ".cm-error-line": { backgroundColor: "var(--failed-soft)" },
  ".cm-error-word": {
    textDecoration: "underline wavy var(--failed)",
    textUnderlineOffset: "3px",
  },
  ".cm-placeholder": { color: "var(--mantine-color-dimmed)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "12.5px",
    maxHeight: "220px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px", lineHeight: "1.4" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--code-selection)",
    color: "var(--mantine-color-text)",
  },
  ".cm-completionDetail": { color: "var(--mantine-color-dimmed)", fontStyle: "normal", fontSize: "11.5px" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
});

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import classes from "./Code.module.css";
import { type Language, language } from "./languages";
import { look } from "./theme";

type Props = {
  label: string;
  value: string;
  language: Language;
  readOnly?: boolean;
  onChange?: (value: string) => void;
  /** Such as completion, or a key that runs what is written. Must stay the same from one drawing to the next. */
  extensions?: Extension;
  height?: string;
  /** Without a frame, where it is in one already. */
  bare?: boolean;
};

export default function Editor({
  label,
  value,
  language: name,
  readOnly,
  onChange,
  extensions,
  height,
  bare,
}: Props) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is put in below; a new editor would lose the cursor.
  useEffect(() => {
    if (!place.current) return;
    const state = EditorState.create({
      doc: value,
      extensions: [...always(label, readOnly), language(name), extensions ?? [], listening],
    });
    const editor = new EditorView({ state, parent: place.current });
    view.current = editor;
    return () => editor.destroy();
  }, [name, readOnly, label, extensions]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  const listening = EditorView.updateListener.of((update) => {
    if (update.docChanged) changed.current?.(update.state.doc.toString());
  });
  return <div ref={place} className={classes.frame} data-bare={bare || undefined} style={{ height }} />;
}

function always(label: string, readOnly = false): Extension[] {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    indentOnInput(),
    highlightSelectionMatches(),
    readOnly ? [] : highlightActiveLine(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    // Tab indents only where one writes; elsewhere it goes on to the next thing. Escape, then Tab, always does.
    keymap.of([...(readOnly ? [] : [indentWithTab]), ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    look,
  ];
}

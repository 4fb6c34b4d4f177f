import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import classes from "./Code.module.css";
import { type Language, language } from "./languages";
import { look } from "./theme";

type Props = { label: string; before: string; after: string; language: Language };

export default function Diff({ label, before, after, language: name }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const extensions = [
      lineNumbers(),
      language(name),
      look,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        highlightChanges: true,
        gutter: true,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ];
    const editor = new EditorView({
      state: EditorState.create({ doc: after, extensions }),
      parent: place.current,
    });
    return () => editor.destroy();
  }, [before, after, name, label]);
  return <div ref={place} className={classes.frame} />;
}

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Colours are variables of the page, so that one set serves both themes.
const frame = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--mantine-color-text)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "2px solid var(--mantine-color-anchor)", outlineOffset: "-2px" },
  ".cm-content": {
    fontFamily: "var(--mantine-font-family-monospace)",
    caretColor: "var(--mantine-color-text)",
  },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--mantine-color-dimmed)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--code-selection) !important",
  },
  ".cm-collapsedLines": { background: "var(--ground)", color: "var(--mantine-color-dimmed)" },
  // Many fonts lack the sign that the library puts there; which of the two comes later depends on what was shown first.
  ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: "none !important" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--succeeded-soft)" },
  ".cm-deletedChunk": { backgroundColor: "var(--failed-soft)" },
  ".cm-changedText, .cm-insertedLine .cm-changedText": { background: "var(--code-added)" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--code-removed)" },
  ".cm-panels": { backgroundColor: "var(--ground)", color: "inherit" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--line)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--mantine-color-dimmed)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.variableName), tags.typeName], color: "var(--code-name)" },
]);

export const look: Extension = [frame, syntaxHighlighting(colours)];

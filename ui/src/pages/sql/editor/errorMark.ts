import { type EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Place } from "./errorPlace";

export const markError = StateEffect.define<Place | undefined>();

/** Where the last error lies. It moves with the text, and goes when the line is changed. */
export const errorMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(markError))
        return effect.value ? marksAt(transaction.state, effect.value) : Decoration.none;
    }
    if (!transaction.docChanged) return marks;
    let touched = false;
    marks.between(0, transaction.startState.doc.length, (from, to) => {
      if (transaction.changes.touchesRange(from, to)) touched = true;
    });
    return touched ? Decoration.none : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const LINE = Decoration.line({ class: "cm-error-line" });
const WORD = Decoration.mark({ class: "cm-error-word" });

function marksAt(state: EditorState, place: Place): DecorationSet {
  if (place.line > state.doc.lines) return Decoration.none;
  const line = state.doc.line(place.line);
  const from = Math.min(line.from + place.column - 1, line.to);
  const to = Math.min(Math.max(from + place.length, from + 1), line.to);
  return Decoration.set(to > from ? [LINE.range(line.from), WORD.range(from, to)] : [LINE.range(line.from)]);
}

/** The cursor to the error, and the error into sight. */
export function goTo(view: EditorView, place: Place): void {
  if (place.line > view.state.doc.lines) return;
  const line = view.state.doc.line(place.line);
  const at = Math.min(line.from + place.column - 1, line.to);
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  view.focus();
}

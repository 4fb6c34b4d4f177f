import type { KeyboardEvent } from "react";
import { type Area, areaOf, type Cell, everything, moved, type Selection, type Size } from "./selection";

type Ways = {
  selection: Selection | undefined;
  size: Size;
  go: (selection: Selection) => void;
  turn: (column: number) => void;
  onOpen: (cell: Cell) => void;
  onCopy: (area: Area) => void;
  onClear: () => void;
};

const START: Selection = { anchor: { row: 0, column: 0 }, at: { row: 0, column: 0 } };

/** What the keyboard does in a grid. Every other key is left to the page. */
export function useGridKeys({ selection, size, go, turn, onOpen, onCopy, onClear }: Ways) {
  return (event: KeyboardEvent) => {
    if (size.rows === 0 || size.columns === 0) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const done = () => event.preventDefault();
    if (ctrl && event.key.toLowerCase() === "a") {
      done();
      go(everything(size));
    } else if (ctrl && event.key.toLowerCase() === "c" && selection && selection.at.row >= 0) {
      done();
      onCopy(areaOf(selection));
    } else if (event.key === "Enter" && selection && !ctrl) {
      done();
      if (selection.at.row < 0) turn(selection.at.column);
      else onOpen(selection.at);
    } else if (event.key === "Escape" && selection) {
      onClear();
    } else {
      const press = { key: event.key, ctrl, shift: event.shiftKey };
      const next = selection ? moved(selection, press, size) : moved(START, press, size) && START;
      if (!next) return;
      done();
      go(next);
    }
  };
}

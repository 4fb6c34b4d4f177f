/** A place in a grid; the row -1 is its head. */
export type Cell = { row: number; column: number };

/** From where one began to where one is. */
export type Selection = { anchor: Cell; at: Cell };

export type Area = { top: number; bottom: number; left: number; right: number };

export type Size = { rows: number; columns: number; page: number };

export function areaOf({ anchor, at }: Selection): Area {
  return {
    top: Math.max(0, Math.min(anchor.row, at.row)),
    bottom: Math.max(anchor.row, at.row),
    left: Math.min(anchor.column, at.column),
    right: Math.max(anchor.column, at.column),
  };
}

export function holds(area: Area, row: number, column: number): boolean {
  return row >= area.top && row <= area.bottom && column >= area.left && column <= area.right;
}

export function everything(size: Size): Selection {
  return { anchor: { row: 0, column: 0 }, at: { row: size.rows - 1, column: size.columns - 1 } };
}

export function wholeRow(row: number, size: Size): Selection {
  return { anchor: { row, column: 0 }, at: { row, column: size.columns - 1 } };
}

type Press = { key: string; ctrl: boolean; shift: boolean };

/** Where a key leads; nothing if it is none that moves. With shift the selection grows. */
export function moved(selection: Selection, press: Press, size: Size): Selection | undefined {
  const target = targetOf(selection.at, press, size);
  if (!target) return undefined;
  const at = {
    row: Math.min(Math.max(target.row, press.shift ? 0 : -1), size.rows - 1),
    column: Math.min(Math.max(target.column, 0), size.columns - 1),
  };
  return { anchor: press.shift ? selection.anchor : at, at };
}

function targetOf({ row, column }: Cell, { key, ctrl }: Press, { rows, columns, page }: Size) {
  const ways: Record<string, Cell> = {
    ArrowUp: { row: ctrl ? 0 : row - 1, column },
    ArrowDown: { row: ctrl ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: ctrl ? 0 : column - 1 },
    ArrowRight: { row, column: ctrl ? columns - 1 : column + 1 },
    PageUp: { row: Math.max(0, row - page), column },
    PageDown: { row: row + page, column },
    Home: { row: ctrl ? 0 : row, column: 0 },
    End: { row: ctrl ? rows - 1 : row, column: columns - 1 },
  };
  return ways[key];
}

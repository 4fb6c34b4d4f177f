import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/problem";
import type { GridColumn, GridSort } from "@/parts/grid/columns";
import type { Area } from "@/parts/grid/selection";
import { showProblem } from "@/parts/showProblem";
import { MOST_COPIED, plainText, rowsOf, tsv } from "./copying";

type Result = { workspace: string; run: string; sort: GridSort | undefined };

/** Copies an area of a result: one cell as it is, several as a spreadsheet takes them, everything with its head. */
export function useCopy(result: Result, columns: readonly GridColumn[]) {
  const queries = useQueryClient();
  return async (area: Area, head = false) => {
    const count = area.bottom - area.top + 1;
    try {
      if (count > MOST_COPIED) throw tooMany(count);
      const rows = await rowsOf(queries, result, area);
      const single = count === 1 && area.left === area.right && !head;
      const names = head ? [columns.slice(area.left, area.right + 1).map((column) => column.name)] : [];
      await put(single ? plainText(rows[0]?.[0]) : tsv([...names, ...rows]));
      notifications.show({
        message: single ? "Copied the cell" : `Copied ${count.toLocaleString("en")} rows`,
      });
    } catch (error) {
      showProblem(error);
    }
  };
}

async function put(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new Problem(
      0,
      "clipboard",
      "The browser does not let this page copy.",
      "Allow it, or open Boathouse by https or on this machine. Downloading works everywhere.",
    );
  }
}

function tooMany(count: number): Problem {
  const most = MOST_COPIED.toLocaleString("en");
  const message = `${count.toLocaleString("en")} rows are too many to copy.`;
  return new Problem(0, "too-many", message, `Select at most ${most}, or download them.`);
}

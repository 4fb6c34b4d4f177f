import { Button, Drawer, Group, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import type { GridColumn } from "@/parts/grid/columns";
import classes from "./Result.module.css";

export type OpenCell = { column: GridColumn; row: number; value: unknown };

/** A cell whole, however long it is. */
export function CellDrawer({ cell, onClose }: { cell: OpenCell | undefined; onClose: () => void }) {
  const clipboard = useClipboard();
  const text = cell ? inFull(cell.value) : "";
  return (
    <Drawer
      opened={cell !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={cell ? `${cell.column.name}, row ${(cell.row + 1).toLocaleString("en")}` : ""}
    >
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {cell?.column.type}
          {typeof cell?.value === "string" && ` · ${cell.value.length.toLocaleString("en")} characters`}
        </Text>
        <Button variant="default" onClick={() => clipboard.copy(text)}>
          {clipboard.copied ? "Copied" : "Copy"}
        </Button>
      </Group>
      {cell?.value === null ? (
        <Text fs="italic" c="dimmed">
          null: it has no value
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, and must be reached by the keyboard.
        <pre className={classes.whole} tabIndex={0}>
          {text}
        </pre>
      )}
    </Drawer>
  );
}

/** Structures, and texts that hold JSON, a field a line. */
function inFull(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value, null, 2);
  const text = String(value);
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

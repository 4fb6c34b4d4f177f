import type { TableFile } from "@/api/types";
import { bytes, count } from "@/parts/amounts";
import type { Column } from "@/parts/list/columns";

// The ids of columns are what the server is asked to order by.
export const COLUMNS: Column<TableFile>[] = [
  {
    id: "path",
    title: "File",
    width: "minmax(130px, 3fr)",
    sortBy: (file) => file.path,
    cell: (file) => (
      <span className="mono" title={file.path}>
        {file.path.slice(file.path.lastIndexOf("/") + 1)}
      </span>
    ),
  },
  {
    id: "partition",
    title: "Partition",
    width: "minmax(90px, 1.4fr)",
    wide: true,
    cell: (file) => <span title={inWords(file)}>{inWords(file)}</span>,
  },
  {
    id: "content",
    title: "Holds",
    width: "minmax(60px, 0.8fr)",
    wide: true,
    cell: (file) => `${file.content}, ${file.format}`,
  },
  {
    id: "rows",
    title: "Rows",
    width: "84px",
    align: "right",
    sortBy: (file) => file.rows,
    cell: (file) => count(file.rows),
  },
  {
    id: "bytes",
    title: "Size",
    width: "80px",
    align: "right",
    sortBy: (file) => file.bytes,
    cell: (file) => bytes(file.bytes),
  },
];

function inWords(file: TableFile): string {
  return (
    Object.entries(file.partition)
      .map(([name, value]) => `${name}=${value ?? "null"}`)
      .join(", ") || "–"
  );
}

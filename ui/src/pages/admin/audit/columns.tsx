import type { LinkProps } from "@tanstack/react-router";
import type { AuditEntry } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { RowLink } from "@/parts/list/RowLink";
import { Mark } from "@/parts/Mark";
import { When } from "@/parts/When";

export function columns(ofWorkspace: boolean): Column<AuditEntry>[] {
  const all: (Column<AuditEntry> & { everywhere?: boolean })[] = [
    {
      id: "number",
      title: "Entry",
      width: "64px",
      wide: true,
      align: "right",
      cell: (entry) => entry.number,
    },
    { id: "at", title: "When", width: "96px", cell: (entry) => <When at={entry.at} /> },
    {
      id: "user",
      title: "Who",
      width: "minmax(80px, 0.8fr)",
      cell: (entry) => entry.user_name ?? "nobody",
    },
    {
      id: "action",
      title: "Action",
      width: "minmax(120px, 1fr)",
      cell: (entry) => (
        <RowLink
          to="."
          search={((before: object) => ({ ...before, entry: entry.number })) as LinkProps["search"]}
          replace
          resetScroll={false}
          preload={false}
          activeProps={{}}
        >
          {entry.action}
        </RowLink>
      ),
    },
    {
      id: "target",
      title: "To what",
      width: "minmax(120px, 1.4fr)",
      wide: true,
      cell: (entry) => <span title={entry.target}>{entry.target}</span>,
    },
    {
      id: "result",
      title: "Result",
      width: "128px",
      wide: true,
      cell: (entry) => <Mark tone={entry.result === "done" ? "good" : "bad"}>{entry.result}</Mark>,
    },
    {
      id: "address",
      title: "From",
      width: "120px",
      wide: true,
      everywhere: true,
      cell: (entry) => entry.address,
    },
  ];
  return all.filter((column) => !(ofWorkspace && column.everywhere));
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Delivery } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { Mark, type Tone } from "@/parts/Mark";
import { When } from "@/parts/When";
import { deliveriesQuery } from "./queries";

const TONES: Record<Delivery["state"], Tone> = { sent: "good", waiting: "warning", "given-up": "bad" };

/** What was sent, what waits, and what the receiver said. */
export function Deliveries({ workspace, rule }: { workspace: string; rule: string }) {
  const query = useInfiniteQuery(deliveriesQuery(workspace, rule));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items), [query.data]);
  const list = useMemo(() => columns(workspace), [workspace]);
  return (
    <DataList
      bare
      label="Deliveries"
      rows={rows}
      columns={list}
      rowKey={(one) => one.id}
      problem={query.error}
      expected={3}
      onEnd={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined}
      empty={
        <EmptyState title="Nothing was to be told yet">
          What is told stays here for 30 days, with what the receiver answered.
        </EmptyState>
      }
    />
  );
}

function columns(workspace: string): Column<Delivery>[] {
  return [
    {
      id: "state",
      title: "Outcome",
      width: "92px",
      cell: (one) => <Mark tone={TONES[one.state]}>{one.state}</Mark>,
    },
    { id: "event", title: "Event", width: "128px", cell: (one) => one.event },
    {
      id: "job",
      title: "Job",
      width: "minmax(90px, 1fr)",
      cell: (one) =>
        one.run_id ? (
          <Link to="/w/$workspace/runs/$run" params={{ workspace, run: one.run_id }}>
            {one.job || "query"}
          </Link>
        ) : (
          one.job || "–"
        ),
    },
    { id: "when", title: "When", width: "96px", wide: true, cell: (one) => <When at={one.created_at} /> },
    { id: "tries", title: "Tries", width: "52px", wide: true, align: "right", cell: (one) => one.tries },
    {
      id: "next",
      title: "Next try",
      width: "96px",
      wide: true,
      cell: (one) => <When at={one.state === "waiting" ? one.try_at : null} none="–" />,
    },
    {
      id: "answer",
      title: "Answer",
      width: "minmax(140px, 2fr)",
      wide: true,
      cell: (one) => <span title={one.answer ?? ""}>{one.answer ?? ""}</span>,
    },
  ];
}

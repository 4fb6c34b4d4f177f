import { useQuery } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import type { components } from "@/api/schema";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { Mark } from "@/parts/Mark";
import { Section } from "@/parts/Section";
import { When } from "@/parts/When";

type Worker = components["schemas"]["WorkerTold"];

const COLUMNS: readonly Column<Worker>[] = [
  { id: "id", title: "Worker", width: "minmax(110px, 1fr)", cell: (one) => one.id },
  {
    id: "state",
    title: "State",
    width: "92px",
    cell: (one) => <Mark tone={one.is_silent ? "bad" : "good"}>{one.is_silent ? "silent" : "here"}</Mark>,
  },
  {
    id: "busy",
    title: "Busy",
    width: "72px",
    align: "right",
    cell: (one) => `${one.runs.length} of ${one.slots}`,
  },
  { id: "host", title: "Host", width: "minmax(100px, 1fr)", wide: true, cell: (one) => one.host },
  { id: "version", title: "Version", width: "90px", wide: true, cell: (one) => one.version },
  { id: "since", title: "Started", width: "100px", wide: true, cell: (one) => <When at={one.started_at} /> },
  { id: "seen", title: "Heard of", width: "100px", wide: true, cell: (one) => <When at={one.seen_at} /> },
];

/** Who carries out runs. */
export function Workers() {
  const { data, error } = useQuery({
    queryKey: ["workers", "in full"],
    queryFn: () => told(api.GET("/api/v1/workers")),
    refetchInterval: 10_000,
  });
  return (
    <Section title="Workers" flush>
      <DataList
        bare
        label="Workers"
        rows={data && (data.items ?? [])}
        columns={COLUMNS}
        rowKey={(one) => one.id}
        problem={error}
        expected={1}
        empty={
          <EmptyState title="No worker is there">
            Runs wait until one is: <code>boathouse up</code> starts one, or <code>boathouse worker</code> by
            itself.
          </EmptyState>
        }
      />
    </Section>
  );
}

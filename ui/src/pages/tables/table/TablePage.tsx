import { Badge, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Dataset, Table } from "@/api/types";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { UrlTabs } from "@/parts/UrlTabs";
import { datasetQuery, tableQuery } from "../queries";
import { type TableTab, tableRoute } from "../routes";
import { About } from "./About";
import { Data } from "./Data";
import { Figures } from "./Figures";
import { Files } from "./files/Files";
import { Grants } from "./Grants";
import { Lineage } from "./lineage/Lineage";
import { Overview } from "./Overview";
import { Partitions } from "./Partitions";
import { Schema } from "./Schema";
import { Snapshots } from "./snapshots/Snapshots";
import { TableActions } from "./TableActions";

export function TablePage() {
  const { workspace, name } = tableRoute.useParams();
  const { tab = "overview" } = tableRoute.useSearch();
  const { data: dataset, error } = useQuery(datasetQuery(workspace, name));
  const inCatalog = dataset !== undefined && dataset.catalog !== null && dataset.gone_at === null;
  const live = useQuery({ ...tableQuery(workspace, name), enabled: inCatalog });
  if (!dataset)
    return <Page title={name}>{error ? <ProblemNote problem={error} /> : <Skeleton height={320} />}</Page>;
  return (
    <Page
      title={dataset.name}
      beside={dataset.gone_at && <Badge color="red.9">gone</Badge>}
      about={<About dataset={dataset} workspace={workspace} />}
      actions={<TableActions dataset={dataset} workspace={workspace} />}
    >
      <Figures dataset={dataset} table={live.data} />
      <UrlTabs label="Parts of the table" tabs={tabs(dataset, live.data)} current={tab} />
      {live.error && TABS[tab].live ? (
        <ProblemNote problem={live.error} />
      ) : (
        <Tab tab={tab} dataset={dataset} table={live.data} workspace={workspace} />
      )}
    </Page>
  );
}

/** `live`: what is asked of the catalog, and so is there only if that has the table. */
const TABS: Record<TableTab, { label: string; live: boolean }> = {
  overview: { label: "Overview", live: false },
  schema: { label: "Schema", live: true },
  data: { label: "Data", live: true },
  snapshots: { label: "Snapshots", live: true },
  files: { label: "Files", live: true },
  partitions: { label: "Partitions", live: true },
  lineage: { label: "Lineage", live: false },
  grants: { label: "Grants", live: false },
};

function tabs(dataset: Dataset, table: Table | undefined) {
  const counts: Partial<Record<TableTab, number>> = { snapshots: table?.snapshots };
  const live = dataset.catalog !== null && dataset.gone_at === null;
  return (Object.keys(TABS) as TableTab[])
    .filter((value) => live || !TABS[value].live)
    .filter((value) => value !== "grants" || dataset.catalog === "lake")
    .map((value) => ({ value, label: TABS[value].label, count: counts[value] }));
}

export type PartProps = { dataset: Dataset; table: Table | undefined; workspace: string };

function Tab({ tab, ...part }: PartProps & { tab: TableTab }) {
  switch (tab) {
    case "schema":
      return <Schema {...part} />;
    case "data":
      return <Data {...part} />;
    case "snapshots":
      return <Snapshots {...part} />;
    case "files":
      return <Files {...part} />;
    case "partitions":
      return <Partitions {...part} />;
    case "lineage":
      return <Lineage {...part} />;
    case "grants":
      return <Grants {...part} />;
    default:
      return <Overview {...part} />;
  }
}

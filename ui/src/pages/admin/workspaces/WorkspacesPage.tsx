import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Workspace } from "@/api/types";
import { workspacesQuery } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { OnlyPlatformAdmins } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { When } from "@/parts/When";
import { NewWorkspaceDialog } from "./NewWorkspaceDialog";

export function WorkspacesPage() {
  return (
    <OnlyPlatformAdmins title="Workspaces">
      <Workspaces />
    </OnlyPlatformAdmins>
  );
}

function Workspaces() {
  const { data, error } = useQuery(workspacesQuery);
  const [making, make] = useDisclosure(false);
  return (
    <Page
      title="Workspaces"
      whole
      actions={
        <>
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={make.open}>
            New workspace
          </Button>
          <CopyAs
            commands={commands(
              "boathouse workspace list",
              "print([one.name for one in control.workspaces.all()])",
              curl("/workspaces"),
            )}
          />
        </>
      }
    >
      <DataList
        fill
        label="Workspaces"
        rows={data}
        columns={COLUMNS}
        rowKey={(one) => one.id}
        problem={error}
        empty={
          <EmptyState title="There are no workspaces yet">
            Jobs, connections and runs belong to one: a team, a product, a stage.
          </EmptyState>
        }
      />
      <NewWorkspaceDialog opened={making} onClose={make.close} />
    </Page>
  );
}

const COLUMNS: readonly Column<Workspace>[] = [
  {
    id: "name",
    title: "Workspace",
    width: "minmax(110px, 1fr)",
    sortBy: (one) => one.name,
    cell: (one) => (
      <RowLink to="/w/$workspace/settings" params={{ workspace: one.name }} preload={false}>
        {one.name}
      </RowLink>
    ),
  },
  {
    id: "about",
    title: "What it is for",
    width: "minmax(140px, 2fr)",
    wide: true,
    cell: (one) => <span title={one.description}>{one.description || "–"}</span>,
  },
  quota("runs", "Runs at once", "100px", (one) => one.quotas.runs),
  quota("cores", "Cores", "72px", (one) => one.quotas.cores),
  quota("memory", "Memory, GB", "100px", (one) => Math.round(one.quotas.memory_mb / 102.4) / 10, true),
  {
    id: "made",
    title: "Made",
    width: "100px",
    wide: true,
    sortBy: (one) => one.created_at,
    cell: (one) => <When at={one.created_at} />,
  },
];

function quota(
  id: string,
  title: string,
  width: string,
  value: (one: Workspace) => number,
  wide?: boolean,
): Column<Workspace> {
  return {
    id,
    title,
    width,
    align: "right",
    wide,
    sortBy: value,
    cell: (one) => value(one).toLocaleString("en"),
  };
}

import { Group, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useMay } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { LinkButton } from "@/parts/LinkButton";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { connectionKindsQuery, connectionsQuery } from "../queries";
import { type ConnectionsSearch, connectionsIndexRoute } from "../routes";
import { columns } from "./columns";

export function ConnectionsPage() {
  const { workspace } = connectionsIndexRoute.useParams();
  const { name, kind } = connectionsIndexRoute.useSearch();
  const { data, error } = useQuery(connectionsQuery(workspace));
  const { data: kinds = [] } = useQuery(connectionKindsQuery);
  const list = useMemo(() => columns(workspace, kinds), [workspace, kinds]);
  const found = useMemo(
    () => data?.filter((one) => one.name.includes(name?.toLowerCase() ?? "") && (!kind || one.kind === kind)),
    [data, name, kind],
  );
  const navigate = useNavigate();
  const set = (change: ConnectionsSearch) =>
    void navigate({
      to: "/w/$workspace/connections",
      params: { workspace },
      search: { name, kind, ...change },
      replace: true,
    });
  return (
    <Page title="Connections" whole actions={<Actions workspace={workspace} />}>
      <Group gap="xs">
        <FilterInput
          aria-label="Name"
          placeholder="Any name"
          value={name}
          onChange={(text) => set({ name: text })}
          w={180}
        />
        <Select
          aria-label="Kind"
          placeholder="Any kind"
          data={kinds.map((one) => ({ value: one.name, label: one.title }))}
          value={kind ?? null}
          onChange={(value) => set({ kind: value ?? undefined })}
          w={170}
          clearable
          clearButtonProps={{ "aria-label": "Any kind" }}
        />
      </Group>
      <DataList
        fill
        label="Connections"
        rows={found}
        columns={list}
        rowKey={(one) => one.id}
        problem={error}
        empty={<NoConnections workspace={workspace} filtered={Boolean(name || kind)} />}
      />
    </Page>
  );
}

function Actions({ workspace }: { workspace: string }) {
  const may = useMay(workspace, "editor");
  return (
    <>
      {may && (
        <LinkButton
          to="/w/$workspace/new-connection"
          params={{ workspace }}
          leftSection={<IconPlus size={14} aria-hidden />}
        >
          New connection
        </LinkButton>
      )}
      <CopyAs
        commands={commands(
          `boathouse connection list --workspace ${workspace}`,
          `print([one.name for one in control.connections.all("${workspace}")])`,
          curl(`/workspaces/${workspace}/connections`),
        )}
      />
    </>
  );
}

function NoConnections({ workspace, filtered }: { workspace: string; filtered: boolean }) {
  const may = useMay(workspace, "editor");
  if (filtered)
    return <EmptyState title="No connection is like this">Take a filter away to see more.</EmptyState>;
  return (
    <EmptyState title="There are no connections yet">
      A connection says how this workspace reaches another system: a bucket, a database, a catalog, a webhook.
      Its secrets are sealed and never shown again.{" "}
      {may ? (
        <Link to="/w/$workspace/new-connection" params={{ workspace }}>
          Make the first one
        </Link>
      ) : (
        "An editor of the workspace can make one."
      )}
    </EmptyState>
  );
}

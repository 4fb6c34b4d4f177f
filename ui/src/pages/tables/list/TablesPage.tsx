import { Group, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { DatasetGroups } from "@/api/types";
import { useMe } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { groupsQuery, tablesQuery } from "../queries";
import { type TablesSearch, tablesIndexRoute } from "../routes";
import { columns } from "./columns";
import { NamespaceTree } from "./NamespaceTree";
import { SyncButton } from "./SyncButton";
import classes from "./TablesPage.module.css";

export function TablesPage() {
  const { workspace } = tablesIndexRoute.useParams();
  const search = tablesIndexRoute.useSearch();
  const navigate = useNavigate();
  const { data: groups } = useQuery(groupsQuery(workspace));
  const found = useInfiniteQuery(tablesQuery(workspace, search));
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.items), [found.data]);
  const list = useMemo(() => columns(workspace, search.namespace), [workspace, search.namespace]);
  const change = (changed: TablesSearch) =>
    void navigate({
      to: "/w/$workspace/tables",
      params: { workspace },
      search: { ...search, ...changed },
      replace: true,
    });
  return (
    <Page
      title="Tables"
      whole
      actions={
        <>
          <SyncButton workspace={workspace} />
          <CopyAs commands={asCommands(workspace, search)} />
        </>
      }
    >
      <div className={classes.columns}>
        <NamespaceTree
          groups={groups}
          chosen={search.namespace}
          onChoose={(namespace) => change({ namespace })}
        />
        <div className={classes.list}>
          <Filters search={search} groups={groups} onChange={change} />
          <DataList
            fill
            label="Tables"
            rows={rows}
            columns={list}
            rowKey={(table) => table.id}
            problem={found.error}
            expected={12}
            onEnd={() => found.hasNextPage && !found.isFetching && void found.fetchNextPage()}
            foot={found.hasNextPage ? "More is on its way …" : undefined}
            empty={<NoTables filtered={Boolean(search.text || search.tag || search.namespace)} />}
          />
        </div>
      </div>
    </Page>
  );
}

type FilterProps = {
  search: TablesSearch;
  groups: DatasetGroups | undefined;
  onChange: (changed: TablesSearch) => void;
};

function Filters({ search, groups, onChange }: FilterProps) {
  const names = (counted: { name: string }[] | undefined) => counted?.map((one) => one.name) ?? [];
  return (
    <Group gap="xs">
      <FilterInput
        aria-label="Search tables"
        placeholder="Names, columns, owners, descriptions"
        value={search.text}
        onChange={(text) => onChange({ text })}
        w={260}
      />
      <Select
        aria-label="Namespace"
        placeholder="Any namespace"
        data={names(groups?.namespaces)}
        value={search.namespace ?? null}
        onChange={(namespace) => onChange({ namespace: namespace ?? undefined })}
        clearable
        clearButtonProps={{ "aria-label": "Any namespace" }}
        searchable
        hiddenFrom="sm"
        w={170}
      />
      {(groups?.tags.length ?? 0) > 0 && (
        <Select
          aria-label="Tag"
          placeholder="Any tag"
          data={names(groups?.tags)}
          value={search.tag ?? null}
          onChange={(tag) => onChange({ tag: tag ?? undefined })}
          clearable
          clearButtonProps={{ "aria-label": "Any tag" }}
          searchable
          w={150}
        />
      )}
    </Group>
  );
}

function NoTables({ filtered }: { filtered: boolean }) {
  const { is_platform_admin: admin } = useMe();
  if (filtered)
    return <EmptyState title="No table is like this">Take a filter away to see more of them.</EmptyState>;
  return (
    <EmptyState title="There are no tables here yet">
      {admin
        ? "Sync takes up the tables that the lakehouse's catalog has; sync again to see what came later."
        : "A platform admin opens the lakehouse's tables to this workspace with a sync."}{" "}
      Editors take up those of another catalog through a connection of the kind <code>iceberg-rest</code>, and
      register what is in none with <code>boathouse dataset register</code>.
    </EmptyState>
  );
}

function asCommands(workspace: string, { text, tag }: TablesSearch) {
  const query = new URLSearchParams(
    Object.entries({ text, tag }).filter((one) => one[1]) as [string, string][],
  );
  const options = [text && `text=${JSON.stringify(text)}`, tag && `tag=${JSON.stringify(tag)}`].filter(
    Boolean,
  );
  return commands(
    text
      ? `boathouse dataset search ${quoted(text)} --workspace ${workspace}`
      : `boathouse dataset list${tag ? ` --tag ${tag}` : ""} --workspace ${workspace}`,
    `print([one.name for one in control.datasets.all(${[`"${workspace}"`, ...options].join(", ")})])`,
    curl(`/workspaces/${workspace}/datasets${query.size > 0 ? `?${query}` : ""}`),
  );
}

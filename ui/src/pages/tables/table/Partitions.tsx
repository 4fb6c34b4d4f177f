import { Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { TablePartition } from "@/api/types";
import { oneOf } from "@/app/search";
import { bytes, count, share } from "@/parts/amounts";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { RowLink } from "@/parts/list/RowLink";
import { asSort, asText, PARTITION_ORDERS } from "../orders";
import { partitionsQuery } from "../queries";
import { type TableSearch, tableRoute } from "../routes";
import type { PartProps } from "./TablePage";

/** Each partition with what is in it; a click leads to its files. */
export function Partitions({ dataset: { name }, table, workspace }: PartProps) {
  const search = tableRoute.useSearch();
  const navigate = useNavigate();
  const order = oneOf(PARTITION_ORDERS, search.order) ?? "-bytes";
  const found = useInfiniteQuery(partitionsQuery(workspace, name, { order, text: search.text }));
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.items), [found.data]);
  const list = useMemo(() => columns(workspace, name), [workspace, name]);
  const first = found.data?.pages[0];
  const change = (changed: TableSearch) =>
    void navigate({ to: ".", search: { ...search, ...changed } as never, replace: true, resetScroll: false });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <FilterInput
          aria-label="Partition"
          placeholder="Such as region=north"
          value={search.text}
          onChange={(text) => change({ text })}
          w={220}
        />
        <Text size="sm" c="dimmed">
          {first && `${count(first.total)} partitions`}
          {table && table.partitions.length > 0 && ` by ${table.partitions.join(", ")}`}
          {first && !first.complete && "; only the first files are counted"}
        </Text>
      </Group>
      <DataList
        label="Partitions"
        rows={rows}
        columns={list}
        rowKey={(partition) => partition.label}
        problem={found.error}
        order={{ sort: asSort(order), onSort: (sort) => change({ order: asText(sort) }) }}
        onEnd={() => found.hasNextPage && !found.isFetching && void found.fetchNextPage()}
        foot={found.hasNextPage ? "More is on its way …" : undefined}
        empty={
          <EmptyState title={search.text ? "No partition is like this" : "Nothing was written to it yet"} />
        }
      />
    </Stack>
  );
}

function columns(workspace: string, name: string): Column<TablePartition>[] {
  return [
    {
      id: "name",
      title: "Partition",
      width: "minmax(90px, 2fr)",
      sortBy: (one) => one.label,
      cell: (one) => (
        <RowLink
          to="/w/$workspace/tables/$name"
          params={{ workspace, name }}
          search={{ tab: "files", partition: one.label }}
          preload={false}
        >
          {one.label || "all of it: the table is not partitioned"}
        </RowLink>
      ),
    },
    { id: "files", title: "Files", width: "52px", align: "right", sortBy: (one) => one.files, cell: files },
    {
      id: "rows",
      title: "Rows",
      width: "90px",
      align: "right",
      wide: true,
      sortBy: (one) => one.rows,
      cell: (one) => count(one.rows),
    },
    {
      id: "bytes",
      title: "Size",
      width: "72px",
      align: "right",
      sortBy: (one) => one.bytes,
      cell: (one) => bytes(one.bytes),
    },
    {
      id: "small",
      title: "Small",
      width: "54px",
      align: "right",
      sortBy: (one) => one.small_files,
      cell: (one) => share(one.small_files / Math.max(one.files, 1)),
    },
  ];
}

function files(one: TablePartition) {
  const title = one.delete_files > 0 ? `and ${count(one.delete_files)} delete files` : undefined;
  return <span title={title}>{count(one.files)}</span>;
}

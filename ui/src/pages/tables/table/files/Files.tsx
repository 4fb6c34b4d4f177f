import { Badge, Group, Skeleton, Stack, Switch, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { FileSizes } from "@/api/types";
import { oneOf } from "@/app/search";
import { bytes, count, share } from "@/parts/amounts";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { asSort, asText, FILE_ORDERS } from "../../orders";
import { filesQuery, sizesQuery } from "../../queries";
import { type TableSearch, tableRoute } from "../../routes";
import type { PartProps } from "../TablePage";
import { COLUMNS } from "./columns";
import { Histogram } from "./Histogram";

export function Files({ dataset: { name }, workspace }: PartProps) {
  const search = tableRoute.useSearch();
  return (
    <Stack gap="md">
      {!search.snapshot && <SizesSection name={name} workspace={workspace} />}
      <FileList name={name} workspace={workspace} search={search} />
    </Stack>
  );
}

function SizesSection({ name, workspace }: { name: string; workspace: string }) {
  const { data: sizes, error } = useQuery(sizesQuery(workspace, name));
  return (
    <Section title="Sizes">
      {error && <ProblemNote problem={error} />}
      {!sizes && !error && <Skeleton height={110} />}
      {sizes && <Sizes sizes={sizes} />}
    </Section>
  );
}

function Sizes({ sizes }: { sizes: FileSizes }) {
  if (sizes.files === 0) return <Text size="sm">There are no data files.</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm">
        {count(sizes.files)} data files, {bytes(sizes.bytes)} in all; half of them are smaller than{" "}
        {bytes(sizes.median)}. <strong>{share(sizes.small_share)}</strong> are small: below{" "}
        {bytes(sizes.small_below)}, an eighth of what the table aims at.
        {!sizes.complete && " Only the first of them are counted."}
      </Text>
      <Histogram sizes={sizes} />
    </Stack>
  );
}

type ListProps = { name: string; workspace: string; search: TableSearch };

function FileList({ name, workspace, search }: ListProps) {
  const navigate = useNavigate();
  const order = oneOf(FILE_ORDERS, search.order);
  const { text, partition, small, snapshot } = search;
  const found = useInfiniteQuery(filesQuery(workspace, name, { order, text, partition, small, snapshot }));
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.items), [found.data]);
  const change = (changed: TableSearch) =>
    void navigate({ to: ".", search: { ...search, ...changed } as never, replace: true, resetScroll: false });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FilterInput
          aria-label="Path"
          placeholder="Somewhere in the path"
          value={text}
          onChange={(typed) => change({ text: typed })}
          w={220}
        />
        <Switch
          size="xs"
          label="Only small files"
          checked={small ?? false}
          onChange={(event) => change({ small: event.currentTarget.checked || undefined })}
        />
        {partition !== undefined && (
          <Chosen label={partition || "no partition"} onClear={() => change({ partition: undefined })} />
        )}
        {snapshot && (
          <Chosen label={`as of snapshot ${snapshot}`} onClear={() => change({ snapshot: undefined })} />
        )}
      </Group>
      <DataList
        label="Files"
        rows={rows}
        columns={COLUMNS}
        rowKey={(file) => file.path}
        problem={found.error}
        expected={10}
        order={{ sort: asSort(order), onSort: (sort) => change({ order: asText(sort) }) }}
        onEnd={() => found.hasNextPage && !found.isFetching && void found.fetchNextPage()}
        foot={found.hasNextPage ? "More is on its way …" : undefined}
        empty={
          <EmptyState title="No file is like this">
            Take a filter away, or write the table's first rows.
          </EmptyState>
        }
      />
    </Stack>
  );
}

function Chosen({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <Badge
      component="button"
      type="button"
      variant="light"
      tt="none"
      onClick={onClear}
      title="Take this filter away"
      style={{ cursor: "pointer" }}
    >
      {label} ✕
    </Badge>
  );
}

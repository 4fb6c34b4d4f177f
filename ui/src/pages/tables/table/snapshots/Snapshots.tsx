import { Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Snapshot } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { snapshotsQuery } from "../../queries";
import { type TableSearch, tableRoute } from "../../routes";
import type { PartProps } from "../TablePage";
import { Compare } from "./Compare";
import { columns, type SnapshotRow } from "./columns";
import { drawn } from "./graph";
import { RollBackDialog } from "./RollBackDialog";
import { SnapshotMenu } from "./SnapshotMenu";

/** Every version of the table that is still there, as a graph beside a list; two of them can be compared. */
export function Snapshots({ dataset: { name, catalog }, workspace }: PartProps) {
  const { before, after } = tableRoute.useSearch();
  const found = useInfiniteQuery(snapshotsQuery(workspace, name));
  const [target, setTarget] = useState<Snapshot>();
  const rows = useMemo(() => withGraph(found.data?.pages.flatMap((page) => page.items)), [found.data]);
  const { chosen, choose, clear } = useChosen(rows, before, after);
  const list = columns({
    workspace,
    rows: rows ?? [],
    chosen,
    onChoose: choose,
    menu: (snapshot) => (
      <SnapshotMenu
        snapshot={snapshot}
        name={name}
        workspace={workspace}
        inLake={catalog === "lake"}
        onRollBack={() => setTarget(snapshot)}
      />
    ),
  });
  return (
    <Stack gap="md">
      {before && after ? (
        <Compare name={name} workspace={workspace} before={before} after={after} onClose={clear} />
      ) : (
        <Text size="sm" c="dimmed">
          {chosen.length === 1 ? "Choose a second snapshot to compare with." : "Choose two to compare them."}
        </Text>
      )}
      <DataList
        label="Snapshots"
        rows={rows}
        columns={list}
        rowKey={(row) => row.id}
        problem={found.error}
        onEnd={() => found.hasNextPage && !found.isFetching && void found.fetchNextPage()}
        foot={found.hasNextPage ? "More is on its way …" : undefined}
        empty={
          <EmptyState title="Nothing was ever written to it">
            Its first snapshot comes with its first rows.
          </EmptyState>
        }
      />
      <RollBackDialog
        name={name}
        workspace={workspace}
        target={target}
        current={rows?.find((row) => row.current)}
        onClose={() => setTarget(undefined)}
      />
    </Stack>
  );
}

function withGraph(snapshots: Snapshot[] | undefined): SnapshotRow[] | undefined {
  if (!snapshots) return undefined;
  const graph = drawn(snapshots);
  return snapshots.map((one, place) => ({
    ...one,
    graph: graph[place] ?? { lane: 0, into: [], by: [], on: false },
  }));
}

/** Which snapshots are ticked. Two of them are in the address, the older first. */
function useChosen(rows: readonly SnapshotRow[] | undefined, before?: string, after?: string) {
  const navigate = useNavigate();
  const [first, setFirst] = useState<string>();
  const compared = [before, after].filter((one) => one !== undefined);
  const chosen = compared.length === 2 ? compared : first ? [first] : [];
  const go = (search: TableSearch) =>
    void navigate({
      to: ".",
      search: { tab: "snapshots", ...search } as never,
      replace: true,
      resetScroll: false,
    });
  const place = (id: string) => rows?.findIndex((row) => row.id === id) ?? 0;
  const choose = (id: string) => {
    const left = chosen.filter((one) => one !== id);
    if (left.length < chosen.length || left.length === 2) {
      setFirst(left.length === 2 ? id : left[0]);
      go({});
    } else if (left.length === 0) setFirst(id);
    else {
      const [older, newer] = [left[0] ?? id, id].sort((one, other) => place(other) - place(one));
      go({ before: older, after: newer });
    }
  };
  const clear = () => {
    setFirst(undefined);
    go({});
  };
  return { chosen, choose, clear };
}

import { Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { pipelinesQuery } from "../queries";
import { pipelinesIndexRoute } from "../routes";
import { columns } from "./columns";

export function PipelinesPage() {
  const { workspace } = pipelinesIndexRoute.useParams();
  const { name } = pipelinesIndexRoute.useSearch();
  const navigate = useNavigate();
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery(pipelinesQuery(workspace, name));
  const found = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const list = useMemo(() => columns(workspace), [workspace]);
  const more = useCallback(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  const filter = (text: string | undefined) =>
    void navigate({
      to: "/w/$workspace/pipelines",
      params: { workspace },
      search: { name: text },
      replace: true,
    });
  return (
    <Page title="Pipelines" whole actions={<Actions workspace={workspace} />}>
      <Group>
        <FilterInput aria-label="Name" placeholder="Any name" value={name} onChange={filter} w={220} />
      </Group>
      <DataList
        fill
        label="Pipelines"
        rows={found}
        columns={list}
        rowKey={(pipeline) => pipeline.job}
        problem={error}
        onEnd={hasNextPage ? more : undefined}
        empty={<NoPipelines workspace={workspace} filtered={Boolean(name)} />}
      />
    </Page>
  );
}

function Actions({ workspace }: { workspace: string }) {
  return (
    <CopyAs
      commands={commands(
        `boathouse job list --workspace ${workspace}`,
        `print([one.job for one in control.pipelines.all("${workspace}")])`,
        curl(`/workspaces/${workspace}/pipelines`),
      )}
    />
  );
}

function NoPipelines({ workspace, filtered }: { workspace: string; filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No pipeline has such a name">Take the filter away to see all of them.</EmptyState>
    );
  return (
    <EmptyState title="There are no pipelines yet">
      A pipeline loads files into a table and keeps the rows that are not good, with the reason.{" "}
      <Link to="/w/$workspace/new-job" params={{ workspace }}>
        Write a job of the kind pipeline
      </Link>
      .
    </EmptyState>
  );
}

import { Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { NewButton } from "@/parts/NewButton";
import { Page } from "@/parts/Page";
import { UrlTabs } from "@/parts/UrlTabs";
import { type PipelineKind, pipelinesQuery } from "../queries";
import { pipelinesIndexRoute } from "../routes";
import { columns } from "./columns";
import { streamColumns } from "./streamColumns";

const TABS = [
  { value: "files", label: "Files" },
  { value: "streams", label: "Streams" },
];

export function PipelinesPage() {
  const { workspace } = pipelinesIndexRoute.useParams();
  const { name, tab } = pipelinesIndexRoute.useSearch();
  const navigate = useNavigate();
  const files = useInfiniteQuery(pipelinesQuery(workspace, "pipeline", name));
  const streams = useInfiniteQuery(pipelinesQuery(workspace, "stream", name));
  // Whoever has nothing but streams is not shown an empty list first.
  const otherwise = isEmpty(files) && !isEmpty(streams) ? "streams" : "files";
  const shown = tab ?? otherwise;
  const kind: PipelineKind = shown === "streams" ? "stream" : "pipeline";
  const { data, error, hasNextPage, fetchNextPage } = kind === "stream" ? streams : files;
  const found = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const list = useMemo(
    () => (kind === "stream" ? streamColumns(workspace) : columns(workspace)),
    [workspace, kind],
  );
  const more = useCallback(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  const filter = (text: string | undefined) =>
    void navigate({
      to: "/w/$workspace/pipelines",
      params: { workspace },
      search: { name: text, tab },
      replace: true,
    });
  return (
    <Page title="Pipelines" whole actions={<Actions workspace={workspace} kind={kind} />}>
      <UrlTabs label="Sorts of pipelines" tabs={TABS} current={shown} />
      <Group>
        <FilterInput aria-label="Name" placeholder="Any name" value={name} onChange={filter} w={220} />
      </Group>
      <DataList
        key={kind}
        fill
        label={kind === "stream" ? "Streaming pipelines" : "Pipelines"}
        rows={found}
        columns={list}
        rowKey={(pipeline) => pipeline.job}
        problem={error}
        onEnd={hasNextPage ? more : undefined}
        empty={<NoPipelines workspace={workspace} kind={kind} filtered={Boolean(name)} />}
      />
    </Page>
  );
}

function isEmpty({ data }: { data?: { pages: { items: unknown[] }[] } }): boolean {
  return data?.pages[0]?.items.length === 0;
}

function Actions({ workspace, kind }: { workspace: string; kind: PipelineKind }) {
  const listed = kind === "stream" ? "streams" : "all";
  return (
    <>
      <NewButton workspace={workspace} to="/w/$workspace/new-job" kind={kind}>
        New pipeline
      </NewButton>
      <CopyAs
        commands={commands(
          kind === "stream"
            ? `boathouse pipeline status --workspace ${workspace}`
            : `boathouse job list --workspace ${workspace}`,
          `print([one.job for one in control.pipelines.${listed}("${workspace}")])`,
          curl(`/workspaces/${workspace}/pipelines?kind=${kind}`),
        )}
      />
    </>
  );
}

const ABOUT: Record<PipelineKind, string> = {
  pipeline: "A pipeline loads files into a table and keeps the rows that are not good, with the reason.",
  stream:
    "One follows the changes of a database or the events of Kafka, into the lake and within seconds into ClickHouse.",
};

type NoneProps = { workspace: string; kind: PipelineKind; filtered: boolean };

function NoPipelines({ workspace, kind, filtered }: NoneProps) {
  if (filtered)
    return (
      <EmptyState title="No pipeline has such a name">Take the filter away to see all of them.</EmptyState>
    );
  return (
    <EmptyState title={kind === "stream" ? "Nothing is followed yet" : "There are no pipelines yet"}>
      {ABOUT[kind]}{" "}
      <Link to="/w/$workspace/new-job" params={{ workspace }} search={{ kind }}>
        Write one
      </Link>
      .
    </EmptyState>
  );
}

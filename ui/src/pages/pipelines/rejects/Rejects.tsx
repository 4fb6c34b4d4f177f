import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useMay } from "@/app/session";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import type { PartProps } from "../pipeline/parts";
import { countsQuery, type RejectFilter, rejectsQuery } from "../queries";
import { pipelineRoute } from "../routes";
import { columns } from "./columns";
import { Filters } from "./Filters";
import { Reasons } from "./Reasons";
import { RejectDrawer } from "./RejectDrawer";
import { ReplayProgress } from "./ReplayProgress";
import { Selected } from "./Selected";

const NONE: ReadonlySet<string> = new Set();

/** The rows that were not good: why, and what to do about them. */
export function Rejects({ pipeline: { job, kind, table }, workspace }: PartProps) {
  const { state = "open", reason, load, file, row, replay } = pipelineRoute.useSearch();
  const filter: RejectFilter = useMemo(() => ({ state, reason, load, file }), [state, reason, load, file]);
  const [selected, select] = useState(NONE);
  const counts = useQuery({ ...countsQuery(workspace, job, state), enabled: table !== null });
  const asked = useInfiniteQuery({ ...rejectsQuery(workspace, job, filter), enabled: table !== null });
  const { hasNextPage, fetchNextPage } = asked;
  const found = useMemo(() => asked.data?.pages.flatMap((page) => page.items), [asked.data]);
  const mayAct = useMay(workspace, "runner") && state === "open";
  const list = useMemo(
    () => columns(workspace, job, mayAct ? { selected, select } : undefined),
    [workspace, job, mayAct, selected],
  );
  const more = useCallback(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  if (table === null)
    return (
      <EmptyState title="Which table it loads is said by a parameter">
        Give the parameter a default to see its rejects here.
      </EmptyState>
    );
  return (
    <>
      {replay && <ReplayProgress workspace={workspace} job={job} run={replay} />}
      <Filters
        workspace={workspace}
        job={job}
        ofStream={kind === "stream"}
        filter={filter}
        counts={counts.data}
      />
      {state === "open" && <Reasons workspace={workspace} job={job} counts={counts.data} chosen={reason} />}
      <Selected
        workspace={workspace}
        job={job}
        filter={filter}
        counts={counts.data}
        selected={selected}
        onDone={() => select(NONE)}
      />
      <DataList
        fill
        label={`Rejects of ${job}`}
        rows={found}
        columns={list}
        rowKey={(reject) => reject.id}
        problem={asked.error}
        onEnd={hasNextPage ? more : undefined}
        empty={<NoRejects state={state} filtered={Boolean(reason || load || file)} />}
      />
      <RejectDrawer workspace={workspace} job={job} reject={row} />
    </>
  );
}

function NoRejects({ state, filtered }: { state: string; filtered: boolean }) {
  if (filtered) return <EmptyState title="No row fits the filter">Clear it to see all of them.</EmptyState>;
  if (state !== "open") return <EmptyState title={`No row is ${state}`} />;
  return (
    <EmptyState title="No row waits for anybody">
      Rows that are malformed or break an expectation come here, with where they stood and the reason.
    </EmptyState>
  );
}

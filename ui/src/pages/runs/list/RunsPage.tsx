import { useMemo } from "react";
import { someOf } from "@/app/search";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { STATES } from "@/parts/states";
import { RunMatrix } from "../matrix/RunMatrix";
import type { RunFilter } from "../queries";
import { type RunsSearch, runsIndexRoute } from "../routes";
import { columns } from "./columns";
import { isFiltered, RunFilters } from "./RunFilters";
import { useRuns } from "./useRuns";

export function RunsPage() {
  const { workspace } = runsIndexRoute.useParams();
  const search = runsIndexRoute.useSearch();
  return (
    <Page title="Runs" whole actions={<CopyAs commands={asCommands(workspace, search)} />}>
      <RunFilters search={search} workspace={workspace} />
      {search.as === "matrix" ? (
        <RunMatrix workspace={workspace} search={search} />
      ) : (
        <RunList workspace={workspace} search={search} />
      )}
    </Page>
  );
}

function RunList({ workspace, search }: { workspace: string; search: RunsSearch }) {
  const filter = useMemo(() => asFilter(search), [search]);
  const { runs, problem, more, loadMore } = useRuns(workspace, filter);
  const list = useMemo(() => columns(workspace), [workspace]);
  return (
    <DataList
      fill
      label="Runs"
      rows={runs}
      columns={list}
      rowKey={(run) => run.id}
      problem={problem}
      expected={16}
      onEnd={loadMore}
      foot={
        runs && (more ? "Loading more …" : `${runs.length.toLocaleString("en")} runs. That is all of them.`)
      }
      empty={<NoRuns filtered={isFiltered(search)} />}
    />
  );
}

function NoRuns({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="No run is like this">Take a filter away to see more.</EmptyState>;
  return (
    <EmptyState title="Nothing has run here yet">
      Start a job from its page, or with <code>boathouse job run NAME</code>. Its runs stay here, with their
      logs and results.
    </EmptyState>
  );
}

function asFilter(search: RunsSearch): RunFilter {
  return { state: someOf(STATES, search.state), job: search.job, by: search.by, within: search.within };
}

function asCommands(workspace: string, { as, job, state }: RunsSearch) {
  if (as === "matrix") return asMatrixCommands(workspace);
  const one = state?.split(",")[0];
  const options = [job && ` --job ${quoted(job)}`, one && ` --state ${one}`].filter(Boolean).join("");
  const named = [job && `, job="${job}"`, one && `, state="${one}"`].filter(Boolean).join("");
  const query = new URLSearchParams([
    ...(job ? [["job", job]] : []),
    ...(state ?? "")
      .split(",")
      .filter(Boolean)
      .map((word) => ["state", word]),
  ]);
  return commands(
    `boathouse run list --workspace ${workspace}${options}`,
    `print([run.id for run in control.runs.all("${workspace}"${named})])`,
    curl(`/workspaces/${workspace}/runs${query.size ? `?${query}` : ""}`),
  );
}

function asMatrixCommands(workspace: string) {
  return commands(
    `boathouse run list --workspace ${workspace}`,
    `for one in control.runs.by_job("${workspace}"):\n    print(one.job, [run.state for run in one.runs])`,
    curl(`/workspaces/${workspace}/runs-by-job`),
  );
}

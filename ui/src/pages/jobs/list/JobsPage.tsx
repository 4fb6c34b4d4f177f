import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { liveQuery } from "@/pages/runs/queries";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { NewButton } from "@/parts/NewButton";
import { Page } from "@/parts/Page";
import { jobsQuery } from "../queries";
import { jobsIndexRoute } from "../routes";
import { columns } from "./columns";

// Enough to show how the jobs of a workspace have fared lately, in one question.
const LATELY = 300;
const ANY = { state: [] };

export function JobsPage() {
  const { workspace } = jobsIndexRoute.useParams();
  const { name } = jobsIndexRoute.useSearch();
  const navigate = useNavigate();
  const { data, error } = useQuery(jobsQuery(workspace));
  const { data: runs } = useQuery(liveQuery(workspace, ANY, LATELY));
  const found = useMemo(
    () => data?.filter((job) => job.name.includes(name?.toLowerCase() ?? "")),
    [data, name],
  );
  const list = useMemo(() => columns(workspace, runs ?? []), [workspace, runs]);
  return (
    <Page title="Jobs" whole actions={<Actions workspace={workspace} />}>
      <Group>
        <FilterInput
          aria-label="Name"
          placeholder="Any name"
          value={name}
          onChange={(text) =>
            void navigate({
              to: "/w/$workspace/jobs",
              params: { workspace },
              search: { name: text },
              replace: true,
            })
          }
          w={220}
        />
      </Group>
      <DataList
        fill
        label="Jobs"
        rows={found}
        columns={list}
        rowKey={(job) => job.id}
        problem={error}
        expected={12}
        empty={<NoJobs workspace={workspace} filtered={Boolean(name)} />}
      />
    </Page>
  );
}

function Actions({ workspace }: { workspace: string }) {
  return (
    <>
      <NewButton workspace={workspace} to="/w/$workspace/new-job">
        New job
      </NewButton>
      <CopyAs
        commands={commands(
          `boathouse job list --workspace ${workspace}`,
          `print([job.name for job in control.jobs.all("${workspace}")])`,
          curl(`/workspaces/${workspace}/jobs`),
        )}
      />
    </>
  );
}

function NoJobs({ workspace, filtered }: { workspace: string; filtered: boolean }) {
  if (filtered)
    return <EmptyState title="No job has such a name">Take the filter away to see all of them.</EmptyState>;
  return (
    <EmptyState title="There are no jobs yet">
      A job is SQL, a PySpark program, a pipeline or a flow of these, with a schedule if you like.{" "}
      <Link to="/w/$workspace/new-job" params={{ workspace }}>
        Write one here
      </Link>
      , or as a file with <code>boathouse job apply FILE.yaml</code>.
    </EmptyState>
  );
}

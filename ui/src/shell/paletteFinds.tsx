import type { SpotlightActionGroupData } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMe } from "@/app/session";
import { usersQuery } from "@/pages/admin/users/queries";
import { addressOf } from "@/pages/connections/address";
import { connectionsQuery } from "@/pages/connections/queries";
import { jobsQuery } from "@/pages/jobs/queries";
import { newestRunsQuery } from "@/pages/runs/queries";
import { savedQueriesQuery } from "@/pages/sql/queries";
import { tableNamesQuery } from "@/pages/tables/queries";
import { StateBadge } from "@/parts/StateBadge";

/** What is in the workspace, as the command palette lists it. Asked for once the palette is opened. */
export function usePaletteFinds(workspace: string | undefined, opened: boolean): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const runs =
    useQuery({ ...newestRunsQuery(workspace ?? ""), enabled: opened && workspace !== undefined }).data ?? [];
  const jobs =
    useQuery({ ...jobsQuery(workspace ?? ""), enabled: opened && workspace !== undefined }).data ?? [];
  const connections =
    useQuery({ ...connectionsQuery(workspace ?? ""), enabled: opened && workspace !== undefined }).data ?? [];
  const me = useMe();
  const users = useQuery({ ...usersQuery, enabled: opened && me.is_platform_admin }).data ?? [];
  const saved =
    useQuery({ ...savedQueriesQuery(workspace ?? ""), enabled: opened && workspace !== undefined }).data ??
    [];
  const tables =
    useQuery({ ...tableNamesQuery(workspace ?? ""), enabled: opened && workspace !== undefined }).data ?? [];
  if (!workspace) return [];
  return [
    {
      group: "Jobs",
      actions: jobs.map((job) => ({
        id: job.id,
        label: job.name,
        description: job.definition.description || undefined,
        keywords: [job.definition.kind],
        onClick: () => void navigate({ to: "/w/$workspace/jobs/$job", params: { workspace, job: job.name } }),
      })),
    },
    {
      group: "Pipelines",
      actions: jobs
        .filter((job) => ["pipeline", "stream"].includes(job.definition.kind))
        .map((job) => ({
          id: `pipeline ${job.id}`,
          label: job.name,
          description: "Rows, rejects and what was expected",
          onClick: () =>
            void navigate({ to: "/w/$workspace/pipelines/$job", params: { workspace, job: job.name } }),
        })),
    },
    {
      group: "Saved queries",
      actions: saved.map((query) => ({
        id: `saved ${query.name}`,
        label: query.name,
        description: query.description || undefined,
        keywords: ["sql", "query"],
        onClick: () =>
          void navigate({ to: "/w/$workspace/sql", params: { workspace }, search: { query: query.name } }),
      })),
    },
    {
      group: "Tables",
      actions: tables.map((table) => ({
        id: table.id,
        label: table.name,
        description: table.description || undefined,
        keywords: [table.owner, ...table.tags],
        onClick: () =>
          void navigate({ to: "/w/$workspace/tables/$name", params: { workspace, name: table.name } }),
      })),
    },
    {
      group: "Connections",
      actions: connections.map((one) => ({
        id: one.id,
        label: one.name,
        description: addressOf(one.config) || undefined,
        keywords: [one.kind],
        onClick: () =>
          void navigate({
            to: "/w/$workspace/connections/$connection",
            params: { workspace, connection: one.name },
          }),
      })),
    },
    {
      group: "Users",
      actions: users.map((user) => ({
        id: user.id,
        label: user.name,
        description: user.display_name || undefined,
        keywords: user.email ? [user.email] : [],
        onClick: () => void navigate({ to: "/admin/users", search: { text: user.name } }),
      })),
    },
    {
      group: "Runs",
      actions: runs.map((run) => ({
        id: run.id,
        label: `${run.job} ${run.id.slice(-8)}`,
        description: run.error ?? undefined,
        keywords: [run.id, run.state],
        rightSection: <StateBadge state={run.state} />,
        onClick: () => void navigate({ to: "/w/$workspace/runs/$run", params: { workspace, run: run.id } }),
      })),
    },
  ];
}

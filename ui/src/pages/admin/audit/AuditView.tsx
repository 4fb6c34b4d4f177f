import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { AuditFilters } from "./AuditFilters";
import { columns } from "./columns";
import { EntryDrawer } from "./EntryDrawer";
import { ExportMenu } from "./ExportMenu";
import { auditQuery } from "./queries";
import { type AuditFilter, type AuditSearch, filterOf } from "./search";
import { VerifyButton } from "./VerifyButton";

type Props = { title: string; workspace?: string; search: AuditSearch };

/** Who did what, when, from where, to what, and how it ended: everywhere, or in a workspace. */
export function AuditView({ title, workspace, search }: Props) {
  const { user, action, target, result, from, to } = search;
  const filter = useMemo(
    () => filterOf({ user, action, target, result, from, to }),
    [user, action, target, result, from, to],
  );
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    auditQuery(workspace, filter),
  );
  const entries = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const list = useMemo(() => columns(workspace !== undefined), [workspace]);
  const loadMore = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return (
    <Page
      title={title}
      about={
        workspace
          ? `Every change in ${workspace}, and every refusal`
          : "Every change and every refusal, of all workspaces; entries are chained by their hashes"
      }
      whole
      actions={
        <>
          {!workspace && <VerifyButton />}
          <ExportMenu workspace={workspace} filter={filter} />
          <CopyAs commands={asCommands(workspace, filter)} />
        </>
      }
    >
      <AuditFilters search={search} />
      <DataList
        fill
        label="Audit"
        rows={entries}
        columns={list}
        rowKey={(entry) => String(entry.number)}
        problem={error}
        expected={16}
        onEnd={loadMore}
        foot={
          entries &&
          (hasNextPage
            ? "Loading more …"
            : `${entries.length.toLocaleString("en")} entries. That is all of them.`)
        }
        empty={<EmptyState title="No entry is like this">Take a filter away to see more.</EmptyState>}
      />
      <EntryDrawer entry={entries?.find((one) => one.number === search.entry)} />
    </Page>
  );
}

function asCommands(workspace: string | undefined, filter: AuditFilter) {
  const given = Object.entries(filter).filter(([, value]) => value) as [string, string][];
  const within = workspace ? ` --workspace ${workspace}` : "";
  const options = given.map(([name, value]) => ` --${name} ${quoted(value.replace(/\.\d+Z$/, ""))}`).join("");
  const named = given.map(([name, value]) =>
    name === "since" || name === "until"
      ? `${name}=datetime.fromisoformat("${value}")`
      : `${name}="${value}"`,
  );
  const asked = workspace
    ? `control.audit.of_workspace(${[`"${workspace}"`, ...named].join(", ")})`
    : `control.audit.all(${named.join(", ")})`;
  const query = given.length > 0 ? `?${new URLSearchParams(given)}` : "";
  const place = workspace ? `/workspaces/${workspace}/audit` : "/audit";
  const told = commands(
    `boathouse audit list${within}${options}`,
    `print(list(${asked}))`,
    curl(place + query),
  );
  return { ...told, python: `from datetime import datetime\n\n${told.python}` };
}

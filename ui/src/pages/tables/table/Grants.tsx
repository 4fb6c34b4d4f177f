import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { components } from "@/api/schema";
import type { GrantTold } from "@/api/types";
import { EmptyState } from "@/parts/EmptyState";
import type { Column } from "@/parts/list/columns";
import { DataList } from "@/parts/list/DataList";
import { ProblemNote } from "@/parts/ProblemNote";
import { showProblem } from "@/parts/showProblem";
import { useGrant, useRevoke } from "../changes";
import { grantsQuery } from "../queries";
import type { PartProps } from "./TablePage";

type Privilege = components["schemas"]["Privilege"];
const PRIVILEGES: Record<Privilege, string> = {
  list: "list: to see that it is there",
  read: "read: to load it",
  write: "write: to commit to it, rename and drop it",
  create: "create: to create what lies inside",
  manage: "manage: all of it, also to grant",
};

/** Who may do what with it in the lakehouse's catalog. */
export function Grants({ dataset: { name }, workspace }: PartProps) {
  const { data: told, error } = useQuery(grantsQuery(workspace, name));
  const revoke = useRevoke(workspace, name);
  const may = told?.principals !== null && told?.principals !== undefined;
  const take = (grant: GrantTold) =>
    revoke.mutate(
      { principal: grant.principal, privilege: grant.privilege as Privilege },
      { onError: showProblem },
    );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw={820}>
        {told && !told.enforced
          ? "This catalog takes one token for everything, as a lakehouse on one machine does: who has it may do everything, and these grants are kept for the day on which it is served with --auth oauth."
          : "What was not granted to a principal of the catalog is refused to it. These are the catalog's principals, not the users of this workspace."}
      </Text>
      {may && <GrantForm name={name} workspace={workspace} principals={told?.principals ?? []} />}
      <DataList
        label="Grants"
        rows={told?.grants}
        columns={columns(may ? take : undefined)}
        rowKey={(grant) => `${grant.principal} ${grant.privilege} ${grant.on}`}
        problem={error}
        expected={3}
        empty={
          <EmptyState title="Nothing was granted to anybody">
            Make a principal with <code>boathouse catalog principal create NAME</code>; a platform admin
            grants it something here.
          </EmptyState>
        }
      />
    </Stack>
  );
}

function columns(take: ((grant: GrantTold) => void) | undefined): Column<GrantTold>[] {
  return [
    {
      id: "principal",
      title: "Principal",
      width: "minmax(90px, 1fr)",
      sortBy: (grant) => grant.principal,
      cell: (grant) => <strong>{grant.principal}</strong>,
    },
    {
      id: "privilege",
      title: "May",
      width: "64px",
      sortBy: (grant) => grant.privilege,
      cell: (grant) => <span title={PRIVILEGES[grant.privilege as Privilege]}>{grant.privilege}</span>,
    },
    {
      id: "on",
      title: "Granted on",
      width: "minmax(80px, 1.6fr)",
      sortBy: (grant) => grant.on,
      cell: (grant) => (grant.inherited ? `inherited from the ${grant.kind} ${grant.on}` : "this table"),
    },
    ...(take
      ? [
          {
            id: "revoke",
            title: "Revoke",
            unseen: true,
            width: "68px",
            cell: (grant: GrantTold) => revoker(grant, take),
          },
        ]
      : []),
  ];
}

function revoker(grant: GrantTold, take: (grant: GrantTold) => void) {
  if (grant.inherited) return null;
  return (
    <Button
      variant="subtle"
      color="red.9"
      size="compact-xs"
      c="var(--failed)"
      aria-label={`Revoke ${grant.privilege} of ${grant.principal}`}
      onClick={() => take(grant)}
    >
      Revoke
    </Button>
  );
}

type FormProps = { name: string; workspace: string; principals: string[] };

function GrantForm({ name, workspace, principals }: FormProps) {
  const [principal, setPrincipal] = useState<string | null>(null);
  const [privilege, setPrivilege] = useState<Privilege>("read");
  const grant = useGrant(workspace, name);
  if (principals.length === 0) return null;
  const give = (event: FormEvent) => {
    event.preventDefault();
    if (principal) grant.mutate({ principal, privilege }, { onSuccess: () => setPrincipal(null) });
  };
  return (
    <form onSubmit={give}>
      <Group gap="xs" align="flex-end">
        <Select
          label="Principal"
          placeholder="Choose one"
          data={principals}
          value={principal}
          onChange={setPrincipal}
          searchable
          w={180}
        />
        <Select
          label="May"
          allowDeselect={false}
          data={(Object.keys(PRIVILEGES) as Privilege[]).map((one) => ({
            value: one,
            label: PRIVILEGES[one],
          }))}
          value={privilege}
          onChange={(chosen) => chosen && setPrivilege(chosen as Privilege)}
          w={260}
        />
        <Button type="submit" disabled={!principal} loading={grant.isPending}>
          Grant
        </Button>
      </Group>
      {grant.error && <ProblemNote problem={grant.error} />}
    </form>
  );
}

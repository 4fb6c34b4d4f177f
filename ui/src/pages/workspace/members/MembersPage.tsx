import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Member } from "@/api/types";
import { useMay, useMe } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { membersRoute } from "../routes";
import { AddMember } from "./AddMember";
import { columns } from "./columns";
import { GroupsNote } from "./GroupsNote";
import { membersQuery, useRemoveMember, useSetMember } from "./queries";
import { RolesExplained } from "./RolesExplained";

export function MembersPage() {
  const { workspace } = membersRoute.useParams();
  const { data, error } = useQuery(membersQuery(workspace));
  const may = useMay(workspace, "admin");
  const me = useMe();
  const [adding, add] = useDisclosure(false);
  const [leaving, setLeaving] = useState<Member>();
  const set = useSetMember(workspace);
  const remove = useRemoveMember(workspace);
  const list = useMemo(
    () =>
      columns({ may, me: me.name, onRole: (name, role) => set.mutate({ name, role }), onRemove: setLeaving }),
    [may, me.name, set.mutate],
  );
  return (
    <Page
      title="Members"
      about={<>Who may do what in {workspace}. Platform admins are admins everywhere, listed or not.</>}
      actions={
        <>
          {may && (
            <Button leftSection={<IconUserPlus size={14} aria-hidden />} onClick={add.open}>
              Add a member
            </Button>
          )}
          <CopyAs commands={asCommands(workspace)} />
        </>
      }
    >
      <GroupsNote workspace={workspace} />
      {set.error && <ProblemNote problem={set.error} />}
      <DataList
        label="Members"
        rows={data}
        columns={list}
        rowKey={(member) => member.name}
        problem={error}
        expected={4}
        empty={<EmptyState title="Nobody is a member">A platform admin can add the first one.</EmptyState>}
      />
      <Section title="What each role may">
        <RolesExplained />
      </Section>
      {may && <AddMember workspace={workspace} opened={adding} onClose={add.close} />}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={`Remove ${leaving?.name ?? ""}?`}
        confirm="Remove them"
        dangerous
        busy={remove.isPending}
        problem={remove.error}
        onConfirm={() => leaving && remove.mutate(leaving.name, { onSuccess: () => setLeaving(undefined) })}
        onClose={() => {
          remove.reset();
          setLeaving(undefined);
        }}
      >
        <Text size="sm">
          They no longer see {workspace}, and their tokens no longer open it. What they made stays.
        </Text>
      </ConfirmDialog>
    </Page>
  );
}

function asCommands(workspace: string) {
  return commands(
    `boathouse workspace members ${workspace}`,
    `print(control.workspaces.members("${workspace}"))`,
    curl(`/workspaces/${workspace}/members`),
  );
}

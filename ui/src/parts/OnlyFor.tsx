import type { ReactNode } from "react";
import type { Role } from "@/api/types";
import { useMay, useMe, useWorkspaces } from "@/app/session";
import { EmptyState } from "./EmptyState";
import { Page } from "./Page";

type Props = { title: string; workspace: string; least: Role; children: ReactNode };

/** A page for who has the role in the workspace; to others it names the one that is missing. */
export function OnlyFor({ title, workspace, least, children }: Props) {
  const may = useMay(workspace, least);
  const role = useWorkspaces().find((one) => one.name === workspace)?.role;
  if (may) return children;
  return (
    <Page title={title}>
      <EmptyState title={`This page takes the role ${least} in ${workspace}`}>
        You are {role} there. Ask an admin of the workspace for more.
      </EmptyState>
    </Page>
  );
}

/** The same for what belongs to no workspace. */
export function OnlyPlatformAdmins({ title, children }: { title: string; children: ReactNode }) {
  const me = useMe();
  if (me.is_platform_admin) return children;
  return (
    <Page title={title}>
      <EmptyState title="This page takes the role of a platform admin">
        You are logged in as {me.name}, who is none. Ask a platform admin.
      </EmptyState>
    </Page>
  );
}

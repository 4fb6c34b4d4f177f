import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Token } from "@/api/types";
import { useWorkspaces } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { DataList } from "@/parts/list/DataList";
import { Page } from "@/parts/Page";
import { columns } from "./columns";
import { NewTokenDialog } from "./NewTokenDialog";
import { tokensQuery, useRevoke } from "./queries";

export function TokensPage() {
  const { data, error } = useQuery(tokensQuery);
  const workspaces = useWorkspaces();
  const [making, make] = useDisclosure(false);
  const [leaving, setLeaving] = useState<Token>();
  const revoke = useRevoke();
  const list = useMemo(() => columns(workspaces, setLeaving), [workspaces]);
  return (
    <Page
      title="My tokens"
      about="For programs that act for you. None may do more than you may, nor more than its role"
      actions={
        <>
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={make.open}>
            New token
          </Button>
          <CopyAs
            commands={commands("boathouse token list", "print(control.tokens.all())", curl("/tokens"))}
          />
        </>
      }
    >
      <DataList
        label="My tokens"
        rows={data}
        columns={list}
        rowKey={(token) => token.id}
        problem={error}
        expected={4}
        empty={
          <EmptyState title="You have no tokens">
            Make one for the command line, for CI, or for a program of yours.
          </EmptyState>
        }
      />
      <NewTokenDialog opened={making} onClose={make.close} />
      <ConfirmDialog
        opened={leaving !== undefined}
        title={`Revoke ${leaving?.name ?? ""}?`}
        confirm="Revoke it"
        dangerous
        busy={revoke.isPending}
        problem={revoke.error}
        onConfirm={() => leaving && revoke.mutate(leaving.id, { onSuccess: () => setLeaving(undefined) })}
        onClose={() => {
          revoke.reset();
          setLeaving(undefined);
        }}
      >
        Whatever uses it is refused from now on. It cannot be brought back.
      </ConfirmDialog>
    </Page>
  );
}

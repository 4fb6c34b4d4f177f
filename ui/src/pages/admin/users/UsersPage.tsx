import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { User } from "@/api/types";
import { useMe } from "@/app/session";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { EmptyState } from "@/parts/EmptyState";
import { FilterInput } from "@/parts/FilterInput";
import { DataList } from "@/parts/list/DataList";
import { OnlyPlatformAdmins } from "@/parts/OnlyFor";
import { Page } from "@/parts/Page";
import { usersRoute } from "../routes";
import { columns } from "./columns";
import { NewUserDialog } from "./NewUserDialog";
import { usersQuery } from "./queries";

export function UsersPage() {
  return (
    <OnlyPlatformAdmins title="Users">
      <Users />
    </OnlyPlatformAdmins>
  );
}

function Users() {
  const { text } = usersRoute.useSearch();
  const navigate = useNavigate();
  const { data, error } = useQuery(usersQuery);
  const me = useMe();
  const [making, make] = useDisclosure(false);
  const found = useMemo(() => data?.filter((user) => has(user, text)), [data, text]);
  const list = useMemo(() => columns(me.name), [me.name]);
  return (
    <Page
      title="Users"
      whole
      actions={
        <>
          <Button leftSection={<IconUserPlus size={14} aria-hidden />} onClick={make.open}>
            New user
          </Button>
          <CopyAs
            commands={commands(
              "boathouse user list",
              "print([user.name for user in control.users.all()])",
              curl("/users"),
            )}
          />
        </>
      }
    >
      <Group>
        <FilterInput
          aria-label="Search users"
          placeholder="Name or e-mail address"
          value={text}
          onChange={(value) => void navigate({ to: "/admin/users", search: { text: value }, replace: true })}
          w={240}
        />
      </Group>
      <DataList
        fill
        label="Users"
        rows={found}
        columns={list}
        rowKey={(user) => user.id}
        problem={error}
        empty={<EmptyState title="No user is like this">Take the filter away to see all of them.</EmptyState>}
      />
      <NewUserDialog opened={making} onClose={make.close} />
    </Page>
  );
}

function has(user: User, text: string | undefined): boolean {
  const wanted = text?.toLowerCase() ?? "";
  return [user.name, user.display_name, user.email ?? ""].some((one) => one.toLowerCase().includes(wanted));
}

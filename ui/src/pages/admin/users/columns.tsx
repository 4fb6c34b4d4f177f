import { Group } from "@mantine/core";
import type { User } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { Mark } from "@/parts/Mark";
import { When } from "@/parts/When";
import { UserActions } from "./UserActions";

export function columns(me: string): Column<User>[] {
  return [
    {
      id: "name",
      title: "User",
      width: "minmax(120px, 1fr)",
      sortBy: (user) => user.name,
      cell: (user) => (
        <>
          {user.name} {user.name === me && <Mark>you</Mark>}
        </>
      ),
    },
    {
      id: "called",
      title: "Called",
      width: "minmax(110px, 1fr)",
      wide: true,
      sortBy: (user) => user.display_name,
      cell: (user) => user.display_name || "–",
    },
    {
      id: "email",
      title: "E-mail",
      width: "minmax(120px, 1.2fr)",
      wide: true,
      sortBy: (user) => user.email,
      cell: (user) => <span title={user.email ?? ""}>{user.email ?? "–"}</span>,
    },
    { id: "is", title: "Is", width: "minmax(104px, 1.2fr)", cell: (user) => <Standing user={user} /> },
    {
      id: "login",
      title: "Last login",
      width: "100px",
      wide: true,
      sortBy: (user) => user.last_login_at,
      cell: (user) => <When at={user.last_login_at} />,
    },
    {
      id: "do",
      title: "What to do",
      unseen: true,
      width: "34px",
      cell: (user) => <UserActions user={user} isMe={user.name === me} />,
    },
  ];
}

function Standing({ user }: { user: User }) {
  return (
    <Group gap={6} wrap="nowrap">
      {user.disabled_at && <Mark tone="bad">disabled</Mark>}
      {user.is_platform_admin && <Mark tone="warning">platform admin</Mark>}
      {!user.has_password && (
        <Mark title="Comes by the identity provider, or by a link alone">no password</Mark>
      )}
      {user.must_change_password && (
        <Mark title="Was given a password that nobody else should keep">new password</Mark>
      )}
    </Group>
  );
}

import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Member, Role } from "@/api/types";
import type { Column } from "@/parts/list/columns";
import { Mark } from "@/parts/Mark";
import { RoleSelect } from "@/parts/RoleSelect";
import { ROLE_MAY } from "@/parts/roles";

type Options = {
  may: boolean;
  me: string;
  onRole: (name: string, role: Role) => void;
  onRemove: (member: Member) => void;
};

export function columns({ may, me, onRole, onRemove }: Options): Column<Member>[] {
  const shown: Column<Member>[] = [
    {
      id: "name",
      title: "Member",
      width: "minmax(110px, 1fr)",
      sortBy: (member) => member.name,
      cell: (member) => (
        <>
          {member.name} {member.name === me && <Mark>you</Mark>}
        </>
      ),
    },
    {
      id: "called",
      title: "Called",
      width: "minmax(110px, 1fr)",
      wide: true,
      cell: (member) => member.display_name || "–",
    },
    {
      id: "role",
      title: "Role",
      width: "118px",
      cell: (member) =>
        may ? (
          <RoleSelect
            aria-label={`Role of ${member.name}`}
            value={member.role}
            onChange={(role) => onRole(member.name, role)}
            size="xs"
          />
        ) : (
          member.role
        ),
    },
    {
      id: "may",
      title: "May",
      width: "minmax(160px, 2fr)",
      wide: true,
      cell: (member) => <span title={ROLE_MAY[member.role]}>{ROLE_MAY[member.role]}</span>,
    },
  ];
  if (!may) return shown;
  return [
    ...shown,
    {
      id: "remove",
      title: "Remove",
      unseen: true,
      width: "34px",
      cell: (member) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${member.name}`}
          onClick={() => onRemove(member)}
        >
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

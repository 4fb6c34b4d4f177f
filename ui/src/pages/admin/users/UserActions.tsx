import { ActionIcon, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots } from "@tabler/icons-react";
import type { User } from "@/api/types";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { showProblem } from "@/parts/showProblem";
import { EditUserDialog } from "./EditUserDialog";
import { useChangeUser } from "./queries";
import { ResetPasswordDialog } from "./ResetPasswordDialog";

/** What a platform admin can do with a user. */
export function UserActions({ user, isMe }: { user: User; isMe: boolean }) {
  const [editing, edit] = useDisclosure(false);
  const [resetting, reset] = useDisclosure(false);
  const [disabling, disable] = useDisclosure(false);
  const [raising, raise] = useDisclosure(false);
  const change = useChangeUser(user.name);
  const admin = user.is_platform_admin;
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What to do with ${user.name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={edit.open}>Edit</Menu.Item>
          <Menu.Item onClick={reset.open}>Reset the password</Menu.Item>
          <Menu.Item onClick={raise.open}>
            {admin ? "Take platform admin away" : "Make platform admin"}
          </Menu.Item>
          {user.disabled_at ? (
            <Menu.Item onClick={() => change.mutate({ disabled: false }, { onError: showProblem })}>
              Enable
            </Menu.Item>
          ) : (
            <Menu.Item onClick={disable.open} disabled={isMe}>
              Disable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditUserDialog user={user} opened={editing} onClose={edit.close} />
      <ResetPasswordDialog name={user.name} opened={resetting} onClose={reset.close} />
      <ConfirmDialog
        opened={disabling}
        title={`Disable ${user.name}?`}
        confirm="Disable them"
        dangerous
        busy={change.isPending}
        problem={change.error}
        onConfirm={() => change.mutate({ disabled: true }, { onSuccess: disable.close })}
        onClose={disable.close}
      >
        They are out at once: sessions and tokens no longer work. What they made stays, and they can be
        enabled again.
      </ConfirmDialog>
      <ConfirmDialog
        opened={raising}
        title={admin ? `Take platform admin from ${user.name}?` : `Make ${user.name} platform admin?`}
        confirm={admin ? "Take it away" : "Make them platform admin"}
        dangerous={!admin}
        busy={change.isPending}
        problem={change.error}
        onConfirm={() => change.mutate({ is_platform_admin: !admin }, { onSuccess: raise.close })}
        onClose={raise.close}
      >
        A platform admin is admin of every workspace, makes users and workspaces, and reads the whole audit.
      </ConfirmDialog>
    </>
  );
}

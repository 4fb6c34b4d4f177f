import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconPlugConnected, IconTrash } from "@tabler/icons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import type { Connection, Tested } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { LinkButton } from "@/parts/LinkButton";
import { useRemove } from "../changes";

type Props = {
  connection: Connection;
  workspace: string;
  test: UseMutationResult<Tested, Error, void>;
};

export function ConnectionActions({ connection, workspace, test }: Props) {
  const { name } = connection;
  const may = useMay(workspace, "editor");
  return (
    <>
      {may && (
        <Button
          leftSection={<IconPlugConnected size={14} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
      )}
      {may && (
        <LinkButton
          variant="default"
          to="/w/$workspace/connections/$connection/edit"
          params={{ workspace, connection: name }}
          leftSection={<IconPencil size={14} aria-hidden />}
        >
          Edit
        </LinkButton>
      )}
      <CopyAs commands={asCommands(workspace, name, may)} />
      {may && <MoreMenu name={name} workspace={workspace} />}
    </>
  );
}

function MoreMenu({ name, workspace }: { name: string; workspace: string }) {
  const [asking, ask] = useDisclosure(false);
  const remove = useRemove(workspace, name);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More">
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={ask.open}>
            Delete the connection
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asking}
        title={`Delete ${name}?`}
        confirm="Delete it"
        dangerous
        busy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={ask.close}
      >
        Its sealed secrets are gone for good, and jobs that name it fail from their next run on.
      </ConfirmDialog>
    </>
  );
}

function asCommands(workspace: string, name: string, mayTest: boolean) {
  const path = `/workspaces/${workspace}/connections/${name}`;
  if (!mayTest)
    return commands(
      `boathouse connection show ${name} --workspace ${workspace}`,
      `print(control.connections.get("${workspace}", "${name}"))`,
      curl(path),
    );
  return commands(
    `boathouse connection test ${name} --workspace ${workspace}`,
    `print(control.connections.test("${workspace}", "${name}"))`,
    curl(`${path}/test`, "POST"),
  );
}

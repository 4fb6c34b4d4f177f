import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconDots,
  IconFiles,
  IconGitCompare,
  IconTable,
  IconTerminal2,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Snapshot } from "@/api/types";
import { useMay } from "@/app/session";
import type { TableSearch } from "../../routes";
import { selection } from "../../sql";

type Props = { snapshot: Snapshot; name: string; workspace: string; inLake: boolean; onRollBack: () => void };

/** What can be done with one snapshot. */
export function SnapshotMenu({ snapshot, name, workspace, inLake, onRollBack }: Props) {
  const mayRun = useMay(workspace, "runner");
  const mayEdit = useMay(workspace, "editor");
  const to = (search: TableSearch) => ({
    component: Link,
    to: "/w/$workspace/tables/$name",
    params: { workspace, name } as never,
    search: search as never,
  });
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`More about snapshot ${snapshot.id}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {snapshot.parent_id && (
          <Menu.Item
            leftSection={<IconGitCompare size={14} aria-hidden />}
            {...to({ tab: "snapshots", before: snapshot.parent_id, after: snapshot.id })}
          >
            Compare with the one before
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconFiles size={14} aria-hidden />}
          {...to({ tab: "files", snapshot: snapshot.id })}
        >
          Its files
        </Menu.Item>
        {inLake && mayRun && (
          <>
            <Menu.Item
              leftSection={<IconTable size={14} aria-hidden />}
              {...to({ tab: "data", snapshot: snapshot.id })}
            >
              Its rows
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTerminal2 size={14} aria-hidden />}
              component={Link}
              to={"/w/$workspace/sql" as "/w/$workspace"}
              params={{ workspace } as never}
              search={{ sql: selection(name, snapshot.id) } as never}
            >
              Query as of then
            </Menu.Item>
          </>
        )}
        {mayEdit && snapshot.ancestor && !snapshot.current && (
          <Menu.Item
            c="var(--failed)"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            onClick={onRollBack}
          >
            Roll back to here
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

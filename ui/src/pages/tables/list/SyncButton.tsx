import { Button, Menu } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMay, useMe } from "@/app/session";
import { useSync } from "../changes";
import { catalogsQuery } from "../queries";

const LAKE = "The lakehouse's own catalog";

/** Takes up the tables that a catalog has: for who may, from wherever they may. */
export function SyncButton({ workspace }: { workspace: string }) {
  const may = useMay(workspace, "editor");
  const { is_platform_admin: mayLake } = useMe();
  const { data: connections = [] } = useQuery({ ...catalogsQuery(workspace), enabled: may });
  const sync = useSync(workspace);
  const label = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={sync.isPending}
      onClick={connections.length === 0 ? () => sync.mutate(null) : undefined}
      title="Take up new tables, and mark those that are gone"
    >
      Sync
    </Button>
  );
  if (!may || (!mayLake && connections.length === 0)) return null;
  if (connections.length === 0) return label;
  return (
    <Menu position="bottom-end">
      <Menu.Target>{label}</Menu.Target>
      <Menu.Dropdown>
        {mayLake && <Menu.Item onClick={() => sync.mutate(null)}>{LAKE}</Menu.Item>}
        {connections.map((name) => (
          <Menu.Item key={name} onClick={() => sync.mutate(name)}>
            Connection {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

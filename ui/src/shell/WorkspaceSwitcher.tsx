import { Menu, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useWorkspaces } from "@/app/session";
import { useCurrentWorkspace } from "./useCurrentWorkspace";
import classes from "./WorkspaceSwitcher.module.css";

export function WorkspaceSwitcher() {
  const workspaces = useWorkspaces();
  const current = useCurrentWorkspace();
  const navigate = useNavigate();
  if (!current) return null;
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={`Workspace ${current}: choose another`}>
          <span className={classes.current}>{current}</span>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() => navigate({ to: "/w/$workspace", params: { workspace: one.name } })}
            rightSection={one.name === current ? <IconCheck size={14} aria-label="current" /> : null}
          >
            {one.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

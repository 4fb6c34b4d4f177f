import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { logOut, useMe } from "@/app/session";
import { ThemeChoice } from "@/parts/ThemeChoice";
import { OWN_PLACES } from "./places";

export function UserMenu() {
  const me = useMe();
  const navigate = useNavigate();
  return (
    <Menu position="bottom-end" width={220} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`You are ${me.name}: account and theme`}>
          <IconUser size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {me.display_name || me.name}
          </Text>
          {me.is_platform_admin ? "Platform admin" : me.name}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <ThemeChoice fullWidth />
        <Menu.Divider />
        {OWN_PLACES.map((place) => (
          <Menu.Item
            key={place.label}
            component={Link}
            to={place.to}
            closeMenuOnClick
            leftSection={<place.icon size={15} aria-hidden />}
          >
            {place.label}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconLogout size={15} aria-hidden />}
          onClick={() => logOut().finally(() => navigate({ to: "/login" }))}
        >
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { logOut, useMe } from "@/app/session";

const THEMES = [
  { value: "auto", label: "Auto" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

export function UserMenu() {
  const me = useMe();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
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
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Theme"
          data={[...THEMES]}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as "auto" | "light" | "dark")}
        />
        <Menu.Divider />
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

import { Button, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCopy } from "@tabler/icons-react";

/** Not everything has a command of its own. */
export type Commands = { cli?: string; python: string; curl: string };

const NAMES: Record<keyof Commands, string> = { cli: "Command line", python: "Python", curl: "curl" };

/** What the page shows or does, as commands to take along. */
export function CopyAs({ commands }: { commands: Commands }) {
  const clipboard = useClipboard();
  const copy = (text: string) => {
    clipboard.copy(text);
    notifications.show({ message: `Copied: ${text.split("\n")[0]}` });
  };
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />}>
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(NAMES) as (keyof Commands)[]).map((kind) => {
          const text = commands[kind];
          return (
            text && (
              <Menu.Item key={kind} onClick={() => copy(text)}>
                {NAMES[kind]}
              </Menu.Item>
            )
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

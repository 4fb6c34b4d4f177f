import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { exportAddress } from "./queries";
import type { AuditFilter } from "./search";

/** What is shown, all of it, as a file. */
export function ExportMenu({ workspace, filter }: { workspace: string | undefined; filter: AuditFilter }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={exportAddress(workspace, filter, "csv")} download>
          CSV, for a spreadsheet
        </Menu.Item>
        <Menu.Item component="a" href={exportAddress(workspace, filter, "jsonl")} download>
          JSON lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Group, Menu } from "@mantine/core";
import { IconCopy, IconDownload } from "@tabler/icons-react";

type Props = { workspace: string; run: string; onCopyAll: () => void };

export function ResultActions({ workspace, run, onCopyAll }: Props) {
  const file = (format: "csv" | "parquet") =>
    `/api/v1/workspaces/${encodeURIComponent(workspace)}/runs/${run}/result/download?format=${format}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        color="gray"
        c="inherit"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={onCopyAll}
        title="With the columns' names, as a spreadsheet takes it"
      >
        Copy all
      </Button>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="inherit"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={file("csv")} download>
            CSV, all kept rows
          </Menu.Item>
          <Menu.Item component="a" href={file("parquet")} download>
            Parquet, with types
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

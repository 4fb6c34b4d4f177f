import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { saveText } from "@/pages/runs/log/saving";
import type { Staying } from "./staying";

/** What nobody can end any more once the job's spec is gone. */
export function Stays({ inPostgres, command, file, text, parameters }: Staying) {
  const clipboard = useClipboard();
  return (
    <Stack gap="xs" mt="md" role="note" aria-label="What it holds elsewhere">
      <Text fw={600} size="sm">
        What it holds elsewhere stays
      </Text>
      <span>
        {inPostgres
          ? "Its connectors in Kafka Connect, and its slots and publications in Postgres, are not deleted with it. Postgres keeps its log for a slot that nobody reads, until the disk is full."
          : "What it needs to go on, in the object store, is not deleted with it."}{" "}
        To end that too, save its spec now, and run where the lakehouse is, once it is stopped:
      </span>
      <Code block>{command}</Code>
      {parameters.length > 0 && (
        <span>
          Put values in the place of {parameters.map((one) => `{{${one}}}`).join(", ")} in that file before.
        </span>
      )}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => saveText(file, text)}
        >
          Save {file}
        </Button>
        <Button
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => clipboard.copy(command)}
        >
          {clipboard.copied ? "Copied" : "Copy the command"}
        </Button>
      </Group>
    </Stack>
  );
}

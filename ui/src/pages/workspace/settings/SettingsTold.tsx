import { Stack, Text } from "@mantine/core";
import type { Workspace } from "@/api/types";
import { count } from "@/parts/amounts";
import { KeyValue } from "@/parts/KeyValue";
import { Section } from "@/parts/Section";
import { draftOf } from "./saving";

export const QUOTAS = {
  runs: "Runs at once",
  cores: "Cores declared at once",
  memory_mb: "Memory declared at once, in MB",
};

/** The settings for who may not change them: to be read, not a form that is turned off. */
export function SettingsTold({ workspace }: { workspace: Workspace }) {
  const { description, timeout_seconds, retries } = draftOf(workspace);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        An admin of the workspace changes these, and a platform admin the quotas.
      </Text>
      <Section title="What it is for">
        <Text size="sm">{description || "Nobody has said yet."}</Text>
      </Section>
      <Section title="What jobs take that do not say otherwise">
        <KeyValue
          entries={{
            "Timeout, in seconds": timeout_seconds === undefined ? "none" : count(timeout_seconds),
            Retries: count(retries),
          }}
        />
      </Section>
      <Section title="Quotas">
        <Text size="xs" c="dimmed" mb="sm">
          How much its runs may declare at once; what is more waits.
        </Text>
        <QuotasTold quotas={workspace.quotas} />
      </Section>
    </Stack>
  );
}

export function QuotasTold({ quotas }: Pick<Workspace, "quotas">) {
  return (
    <KeyValue
      entries={{
        [QUOTAS.runs]: count(quotas.runs),
        [QUOTAS.cores]: count(quotas.cores),
        [QUOTAS.memory_mb]: count(quotas.memory_mb),
      }}
    />
  );
}

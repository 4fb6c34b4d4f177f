import { Button, Group, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Workspace } from "@/api/types";
import { CountInput } from "@/parts/CountInput";
import { fieldProblems } from "@/parts/fieldProblems";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { QUOTAS, QuotasTold } from "./SettingsTold";
import { type Draft, draftOf, useSaveWorkspace } from "./saving";

type Props = { workspace: Workspace; mayQuotas: boolean };

const TOLD = ["description", "defaults.timeout_seconds", "defaults.retries"];
const TOLD_QUOTAS = ["quotas.runs", "quotas.cores", "quotas.memory_mb"];

/** For an admin of the workspace; quotas take a platform admin. */
export function SettingsForm({ workspace, mayQuotas }: Props) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(workspace));
  const save = useSaveWorkspace(workspace.name);
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(workspace));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const problem = fieldProblems(save.error);
  const undo = () => {
    setDraft(draftOf(workspace));
    save.reset();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft, { onSuccess: (kept) => setDraft(draftOf(kept)) });
      }}
    >
      <Stack gap="md">
        {save.error && (
          <ProblemNote problem={save.error} told={mayQuotas ? [...TOLD, ...TOLD_QUOTAS] : TOLD} />
        )}
        <Section title="What it is for">
          <Textarea
            aria-label="Description"
            placeholder="Nothing is said yet"
            size="xs"
            autosize
            minRows={2}
            value={draft.description}
            error={problem("description")}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        </Section>
        <Section title="What jobs take that do not say otherwise">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            <CountInput
              label="Timeout, in seconds"
              placeholder="none"
              value={draft.timeout_seconds}
              error={problem("defaults.timeout_seconds")}
              onChange={(timeout_seconds) => set({ timeout_seconds })}
            />
            <CountInput
              label="Retries"
              placeholder="0"
              value={draft.retries}
              error={problem("defaults.retries")}
              onChange={(retries) => set({ retries })}
            />
          </SimpleGrid>
        </Section>
        <Section title="Quotas">
          <Text size="xs" c="dimmed" mb="sm">
            How much its runs may declare at once; what is more waits.{" "}
            {!mayQuotas && "A platform admin sets them, so that workspaces do not starve each other."}
          </Text>
          {mayQuotas ? (
            <Quotas draft={draft} set={set} problem={problem} />
          ) : (
            <QuotasTold quotas={workspace.quotas} />
          )}
        </Section>
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!changed}>
            Save
          </Button>
          {changed && (
            <Button variant="subtle" onClick={undo}>
              Undo
            </Button>
          )}
          {save.isSuccess && !changed && (
            <Text size="sm" role="status">
              Saved.
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

type QuotasProps = {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  problem: (field: string) => string | undefined;
};

function Quotas({ draft, set, problem }: QuotasProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <CountInput
        label={QUOTAS.runs}
        value={draft.runs}
        error={problem("quotas.runs")}
        onChange={(runs) => set({ runs })}
      />
      <CountInput
        label={QUOTAS.cores}
        value={draft.cores}
        error={problem("quotas.cores")}
        onChange={(cores) => set({ cores })}
      />
      <CountInput
        label={QUOTAS.memory_mb}
        value={draft.memory_mb}
        error={problem("quotas.memory_mb")}
        onChange={(memory_mb) => set({ memory_mb })}
      />
    </SimpleGrid>
  );
}

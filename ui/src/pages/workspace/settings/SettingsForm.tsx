import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Workspace } from "@/api/types";
import { fieldProblems } from "@/parts/fieldProblems";
import { ProblemNote } from "@/parts/ProblemNote";
import { Section } from "@/parts/Section";
import { type Draft, draftOf, useSaveWorkspace } from "./saving";

type Props = { workspace: Workspace; may: boolean; mayQuotas: boolean };

export function SettingsForm({ workspace, may, mayQuotas }: Props) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(workspace));
  const save = useSaveWorkspace(workspace.name);
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(workspace));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const problem = fieldProblems(save.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft);
      }}
    >
      <Stack gap="md">
        {save.error && <ProblemNote problem={save.error} />}
        <Section title="What it is for">
          <Textarea
            aria-label="Description"
            placeholder={may ? "Nothing is said yet" : undefined}
            size="xs"
            autosize
            minRows={2}
            disabled={!may}
            value={draft.description}
            error={problem("description")}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        </Section>
        <Section title="What jobs take that do not say otherwise">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            <Count
              label="Timeout, in seconds"
              placeholder="none"
              min={1}
              disabled={!may}
              value={draft.timeout_seconds}
              problem={problem("defaults.timeout_seconds")}
              onChange={(timeout_seconds) => set({ timeout_seconds })}
            />
            <Count
              label="Retries"
              min={0}
              max={20}
              disabled={!may}
              value={draft.retries}
              problem={problem("defaults.retries")}
              onChange={(retries) => set({ retries })}
            />
          </SimpleGrid>
        </Section>
        <Section title="Quotas">
          <Text size="xs" c="dimmed" mb="sm">
            How much its runs may use at once; what is more waits.{" "}
            {!mayQuotas && "A platform admin sets them, so that workspaces do not starve each other."}
          </Text>
          <Quotas draft={draft} set={set} problem={problem} disabled={!mayQuotas} />
        </Section>
        {may && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!changed}>
              Save
            </Button>
            {changed && (
              <Button variant="subtle" onClick={() => setDraft(draftOf(workspace))}>
                Undo
              </Button>
            )}
            {save.isSuccess && !changed && (
              <Text size="sm" role="status">
                Saved.
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </form>
  );
}

type QuotasProps = {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  problem: (field: string) => string | undefined;
  disabled: boolean;
};

function Quotas({ draft, set, problem, disabled }: QuotasProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <Count
        label="Runs at once"
        min={1}
        disabled={disabled}
        value={draft.runs}
        problem={problem("quotas.runs")}
        onChange={(runs) => set({ runs })}
      />
      <Count
        label="Spark cores at once"
        min={1}
        disabled={disabled}
        value={draft.cores}
        problem={problem("quotas.cores")}
        onChange={(cores) => set({ cores })}
      />
      <Count
        label="Spark memory at once, in MB"
        min={512}
        disabled={disabled}
        value={draft.memory_mb}
        problem={problem("quotas.memory_mb")}
        onChange={(memory_mb) => set({ memory_mb })}
      />
    </SimpleGrid>
  );
}

type CountProps = {
  label: string;
  placeholder?: string;
  min: number;
  max?: number;
  disabled: boolean;
  value: number | undefined;
  problem: string | undefined;
  onChange: (value: number | undefined) => void;
};

function Count({ problem, value, onChange, ...rest }: CountProps) {
  return (
    <NumberInput
      {...rest}
      size="xs"
      thousandSeparator=","
      error={problem}
      value={value ?? ""}
      onChange={(given) => onChange(given === "" ? undefined : Number(given))}
    />
  );
}

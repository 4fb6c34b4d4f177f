import { NumberInput, Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Definition } from "@/api/types";
import { Section } from "@/parts/Section";
import type { Draft } from "../definition";
import { kindsQuery } from "../queries";
import { emptySpec } from "./kinds";
import { ParametersForm } from "./ParametersForm";
import { ScheduleForm } from "./ScheduleForm";
import { SpecForm } from "./SpecForm";

type Props = { draft: Draft; onChange: (draft: Draft) => void; isNew: boolean };

export function JobForm({ draft, onChange, isNew }: Props) {
  const { data: kinds } = useQuery(kindsQuery);
  const { name, definition } = draft;
  const set = (change: Partial<Definition>) => onChange({ name, definition: { ...definition, ...change } });
  const choices = kinds?.map((kind) => ({ value: kind.name, label: kind.title })) ?? [
    { value: definition.kind, label: definition.kind },
  ];
  return (
    <Stack gap="md">
      <Section title="What it is">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            description="Small letters, digits, hyphens and underscores"
            placeholder="daily-sales"
            value={name}
            disabled={!isNew}
            required
            onChange={(event) => onChange({ name: event.currentTarget.value.trim(), definition })}
          />
          <Select
            label="Kind"
            description="What carries it out"
            data={choices}
            value={definition.kind}
            allowDeselect={false}
            onChange={(kind) => kind && kind !== definition.kind && set({ kind, spec: emptySpec(kind) })}
          />
        </SimpleGrid>
        <Textarea
          label="Description"
          mt="sm"
          size="xs"
          autosize
          value={definition.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </Section>
      <Section title="What it does">
        <SpecForm kind={definition.kind} spec={definition.spec} onChange={(spec) => set({ spec })} />
      </Section>
      <Section title="Parameters">
        <ParametersForm
          parameters={definition.parameters ?? []}
          onChange={(parameters) => set({ parameters })}
        />
      </Section>
      <Section title="When it runs">
        <ScheduleForm
          schedule={definition.schedule ?? undefined}
          onChange={(schedule) => set({ schedule })}
        />
      </Section>
      <Section title="How it is carried out">
        <Rules definition={definition} onChange={set} />
      </Section>
    </Stack>
  );
}

const DELAYS = { delay_seconds: 10, factor: 2, longest_seconds: 3600 };
const CROWDING = [
  { value: "queue", label: "it waits" },
  { value: "skip", label: "it is left out" },
  { value: "replace", label: "the older ones are stopped" },
];

function Rules({
  definition,
  onChange,
}: {
  definition: Definition;
  onChange: (change: Partial<Definition>) => void;
}) {
  const concurrency = definition.concurrency ?? { most: 1, otherwise: "queue" };
  const count = (value: string | number) => (value === "" ? undefined : Number(value));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <NumberInput
        label="Retries"
        placeholder="as the workspace says"
        size="xs"
        min={0}
        max={20}
        disabled={definition.kind === "flow"}
        value={definition.retries?.count ?? ""}
        onChange={(value) =>
          onChange({
            retries:
              count(value) === undefined ? null : { ...DELAYS, ...definition.retries, count: Number(value) },
          })
        }
      />
      <NumberInput
        label="Timeout, in seconds"
        placeholder="as the workspace says"
        size="xs"
        min={1}
        value={definition.timeout_seconds ?? ""}
        onChange={(value) => onChange({ timeout_seconds: count(value) ?? null })}
      />
      <NumberInput
        label="Runs at once"
        size="xs"
        min={1}
        value={concurrency.most}
        onChange={(value) => onChange({ concurrency: { ...concurrency, most: count(value) ?? 1 } })}
      />
      <Select
        label="One too many"
        data={CROWDING}
        allowDeselect={false}
        value={concurrency.otherwise}
        onChange={(value) =>
          onChange({ concurrency: { ...concurrency, otherwise: (value ?? "queue") as "queue" } })
        }
      />
    </SimpleGrid>
  );
}

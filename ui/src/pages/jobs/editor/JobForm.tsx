import { Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Definition } from "@/api/types";
import { CountInput } from "@/parts/CountInput";
import type { fieldProblems } from "@/parts/fieldProblems";
import { Section } from "@/parts/Section";
import type { Draft } from "../definition";
import { kindsQuery } from "../queries";
import { emptySpec } from "./kinds";
import { ParametersForm } from "./ParametersForm";
import { ScheduleForm } from "./ScheduleForm";
import { SpecForm } from "./SpecForm";

type Problems = ReturnType<typeof fieldProblems>;
type Props = { draft: Draft; onChange: (draft: Draft) => void; isNew: boolean; problem: Problems };

/** The fields that tell what is wrong with them. */
export const TELLING = ["name", "description", "retries.count", "timeout_seconds", "concurrency.most"];

export function JobForm({ draft, onChange, isNew, problem }: Props) {
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
            error={problem("name")}
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
          error={problem("description")}
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
        <Rules definition={definition} onChange={set} problem={problem} />
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

type RulesProps = {
  definition: Definition;
  onChange: (change: Partial<Definition>) => void;
  problem: Problems;
};

function Rules({ definition, onChange, problem }: RulesProps) {
  const concurrency = definition.concurrency ?? { most: 1, otherwise: "queue" };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <CountInput
        label="Retries"
        placeholder="as the workspace says"
        disabled={definition.kind === "flow"}
        value={definition.retries?.count}
        error={problem("retries.count")}
        onChange={(count) =>
          onChange({ retries: count === undefined ? null : { ...DELAYS, ...definition.retries, count } })
        }
      />
      <CountInput
        label="Timeout, in seconds"
        placeholder="as the workspace says"
        value={definition.timeout_seconds}
        error={problem("timeout_seconds")}
        onChange={(seconds) => onChange({ timeout_seconds: seconds ?? null })}
      />
      <CountInput
        label="Runs at once"
        placeholder="1"
        value={concurrency.most}
        error={problem("concurrency.most")}
        // Without a number it is as many as the server says.
        onChange={(most) => onChange({ concurrency: { ...concurrency, most: most as number } })}
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

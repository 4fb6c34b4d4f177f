import { SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { Connection, ConnectionKind } from "@/api/types";
import { fieldProblems } from "@/parts/fieldProblems";
import { Section } from "@/parts/Section";
import { ConfigFields } from "./ConfigFields";
import { fieldsOf, leadsElsewhere } from "./fields";
import { SecretField } from "./SecretField";
import { firstDraft, type SecretDrafts } from "./secrets";

export type ConnectionDraft = {
  name: string;
  description: string;
  config: Record<string, unknown>;
  secrets: SecretDrafts;
};

type Props = {
  kind: ConnectionKind;
  draft: ConnectionDraft;
  /** Undefined for one that is not made yet. */
  saved?: Connection;
  problem: unknown;
  onChange: (draft: ConnectionDraft) => void;
};

export function ConnectionForm({ kind, draft, saved, problem, onChange }: Props) {
  const problems = fieldProblems(problem);
  const fields = fieldsOf(kind.config);
  const moved = saved && leadsElsewhere(fields, kind.harmless, saved.config, draft.config);
  const again = moved && `${moved.label} changes, so it must be given again: it would be sent elsewhere.`;
  return (
    <Stack gap="md">
      <Section title="What it is">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            description="Small letters, digits, hyphens and underscores"
            placeholder={`my-${kind.name}`}
            value={draft.name}
            disabled={saved !== undefined}
            required
            error={problems("name")}
            onChange={(event) => onChange({ ...draft, name: event.currentTarget.value.trim() })}
          />
          <Textarea
            label="Description"
            description="What it is for"
            size="xs"
            autosize
            value={draft.description}
            onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
          />
        </SimpleGrid>
      </Section>
      <Section title="How it is reached">
        <ConfigFields
          fields={fields}
          config={draft.config}
          problem={problems}
          onChange={(config) => onChange({ ...draft, config })}
        />
      </Section>
      <Section title="Secrets">
        <Text size="xs" c="dimmed" mb="sm">
          What is typed is sealed with the installation's key. Nobody is shown it again, not even its author.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {Object.entries(kind.secrets).map(([name, about]) => (
            <SecretField
              key={name}
              name={name}
              about={about}
              kept={saved?.secrets[name]}
              draft={draft.secrets[name] ?? firstDraft(saved?.secrets[name])}
              problem={problems(`secrets.${name}`)}
              again={again}
              onChange={(secret) => onChange({ ...draft, secrets: { ...draft.secrets, [name]: secret } })}
            />
          ))}
        </SimpleGrid>
      </Section>
    </Stack>
  );
}

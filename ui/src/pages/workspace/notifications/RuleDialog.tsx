import { Checkbox, Select, Stack, Switch, TagsInput, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Rule } from "@/api/types";
import { connectionsQuery } from "@/pages/connections/queries";
import { FormDialog } from "@/parts/FormDialog";
import { fieldProblems } from "@/parts/fieldProblems";
import { EVENTS, type Event, eventsFor, TELLING } from "./events";
import { type RuleDraft, useChangeRule, useCreateRule } from "./queries";

const EMPTY: RuleDraft = {
  name: "",
  description: "",
  connection: "",
  recipients: [],
  events: ["run-failed", "run-recovered"],
  jobs: [],
  enabled: true,
};

type Props = { workspace: string; rule?: Rule; opened: boolean; onClose: () => void };

/** A new notification, or another form of one that is there. */
export function RuleDialog({ workspace, rule, opened, onClose }: Props) {
  const [draft, setDraft] = useState<RuleDraft>(rule ?? EMPTY);
  const { data: connections } = useQuery({ ...connectionsQuery(workspace), enabled: opened });
  const create = useCreateRule(workspace);
  const change = useChangeRule(workspace, rule?.name ?? "");
  const saving = rule ? change : create;
  const set = (part: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...part }));
  const problem = fieldProblems(saving.error);
  const telling = connections?.filter((one) => TELLING.includes(one.kind)) ?? [];
  const kind = telling.find((one) => one.name === draft.connection)?.kind ?? rule?.kind;
  const close = () => {
    saving.reset();
    setDraft(rule ?? EMPTY);
    onClose();
  };
  const send = () =>
    saving.mutate(
      { ...asSent(draft), recipients: kind === "smtp" ? draft.recipients : [] },
      { onSuccess: onClose },
    );
  const choose = (name: string | null) => {
    const chosen = telling.find((one) => one.name === name);
    const possible = eventsFor(chosen?.kind);
    const events = draft.events.filter((event) => possible.includes(event));
    set({ connection: name ?? "", events: events.length > 0 ? events : possible });
  };
  return (
    <FormDialog
      opened={opened}
      title={rule ? `Change ${rule.name}` : "New notification"}
      submit={rule ? "Save" : "Create it"}
      busy={saving.isPending}
      incomplete={!draft.name || !draft.connection || draft.events.length === 0}
      problem={saving.error}
      onSubmit={send}
      onClose={close}
    >
      <TextInput
        label="Name"
        required
        disabled={rule !== undefined}
        value={draft.name}
        error={problem("name")}
        onChange={(event) => set({ name: event.currentTarget.value.trim() })}
        data-autofocus
      />
      <Select
        label="By the connection"
        required
        data={telling.map((one) => ({ value: one.name, label: `${one.name} (${one.kind})` }))}
        value={draft.connection || null}
        onChange={choose}
        error={problem("connection")}
        allowDeselect={false}
      />
      {connections && telling.length === 0 && (
        <Text size="xs">
          There is no webhook and no mail server yet.{" "}
          <Link to="/w/$workspace/new-connection" params={{ workspace }}>
            Make one
          </Link>{" "}
          first.
        </Text>
      )}
      {kind === "smtp" && (
        <TagsInput
          label="To"
          size="xs"
          placeholder="ann@example.org, Enter after each"
          splitChars={[",", " "]}
          acceptValueOnBlur
          value={draft.recipients}
          error={problem("recipients")}
          onChange={(recipients) => set({ recipients })}
        />
      )}
      <Checkbox.Group
        label="Of what"
        size="xs"
        value={draft.events}
        onChange={(events) => set({ events: events as Event[] })}
      >
        <Stack gap={6} mt={4}>
          {eventsFor(kind).map((event) => (
            <Checkbox key={event} size="xs" value={event} label={event} description={EVENTS[event]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label="Jobs"
        description="Names, or patterns such as daily-*. None: all of them"
        size="xs"
        splitChars={[",", " "]}
        acceptValueOnBlur
        value={draft.jobs}
        error={problem("jobs")}
        onChange={(jobs) => set({ jobs })}
      />
      <Switch
        label="On"
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

function asSent({ name, description, connection, recipients, events, jobs, enabled }: RuleDraft): RuleDraft {
  return { name, description, connection, recipients, events, jobs, enabled };
}

import {
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { SecretKept } from "@/api/types";
import { KeptSecret } from "../connection/KeptSecret";
import { labelOf } from "./fields";
import classes from "./SecretField.module.css";
import type { SecretDraft, Way } from "./secrets";

const WAYS = [
  { value: "text", label: "Type it" },
  { value: "env", label: "Variable" },
  { value: "file", label: "File" },
];

type Props = {
  name: string;
  about: string;
  kept: SecretKept | undefined;
  draft: SecretDraft;
  problem: string | undefined;
  /** Why it has to be given again. */
  again: string | undefined;
  onChange: (draft: SecretDraft) => void;
};

/** A secret only goes in: what is there is not shown, and can be kept, replaced or taken away. */
export function SecretField({ name, about, kept, draft, problem, again, onChange }: Props) {
  const label = labelOf(name);
  const stale = again !== undefined && kept !== undefined;
  return (
    <div role="group" aria-label={label}>
      <Text size="xs" fw={500}>
        {label}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {about}
      </Text>
      {draft.do === "give" ? (
        <Given label={label} about={about} draft={draft} problem={problem} onChange={onChange} />
      ) : (
        <Kept label={label} kept={kept} draft={draft} onChange={onChange} />
      )}
      {stale && draft.do === "keep" && (
        <Text size="xs" c="var(--failed)" mt={6} role="status">
          {again}
        </Text>
      )}
      {draft.do === "give" && kept && (
        <Button variant="subtle" mt={4} px={4} onClick={() => onChange({ do: "keep" })}>
          Keep the one that is there
        </Button>
      )}
    </div>
  );
}

type KeptProps = Pick<Props, "kept" | "draft" | "onChange"> & { label: string };

function Kept({ label, kept, draft, onChange }: KeptProps) {
  const removed = draft.do === "remove";
  return (
    <Group gap="xs" className={classes.kept}>
      {removed ? <Text size="sm">will be removed</Text> : <KeptSecret kept={kept} />}
      <Group gap={4} ml="auto">
        <Button
          variant="default"
          aria-label={`Replace ${label}`}
          onClick={() => onChange({ do: "give", way: "text", value: "" })}
        >
          Replace
        </Button>
        <Button
          variant="default"
          aria-label={removed ? `Keep ${label}` : `Remove ${label}`}
          onClick={() => onChange({ do: removed ? "keep" : "remove" })}
        >
          {removed ? "Keep" : "Remove"}
        </Button>
      </Group>
    </Group>
  );
}

type GivenProps = {
  label: string;
  about: string;
  draft: Extract<SecretDraft, { do: "give" }>;
  problem: string | undefined;
  onChange: (draft: SecretDraft) => void;
};

function Given({ label, about, draft, problem, onChange }: GivenProps) {
  const set = (value: string) => onChange({ ...draft, value });
  const common = { value: draft.value, error: problem, size: "xs", autoComplete: "off" } as const;
  return (
    <Stack gap={6}>
      <SegmentedControl
        size="xs"
        aria-label={`How ${label} is given`}
        data={WAYS}
        value={draft.way}
        onChange={(way) => onChange({ do: "give", way: way as Way, value: "" })}
        className={classes.ways}
      />
      {draft.way === "text" && about.includes("PEM") && (
        <Textarea
          {...common}
          aria-label={label}
          rows={3}
          spellCheck={false}
          className={classes.hidden}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
      {draft.way === "text" && !about.includes("PEM") && (
        <PasswordInput
          {...common}
          aria-label={label}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": `Show ${label}` }}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
      {draft.way === "env" && (
        <TextInput
          {...common}
          aria-label={`Variable of ${label}`}
          placeholder="BOATHOUSE_SECRET_WORKSPACE__NAME"
          description="A variable of the server and the workers: BOATHOUSE_SECRET_, the workspace, two underscores, a name"
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
      {draft.way === "file" && (
        <TextInput
          {...common}
          aria-label={`File of ${label}`}
          placeholder="workspace/password"
          description="In the workspace's part of the server's directory of secrets, as Kubernetes mounts one"
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}

import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { RejectsCounted } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl, quoted } from "@/parts/commands";
import { showProblem } from "@/parts/showProblem";
import { rows } from "../figures";
import type { RejectFilter } from "../queries";
import { type Chosen, type Discarded, useDiscard, useReplay } from "./changes";
import { chosenBy, toDiscard, whole } from "./chosen";

type Props = {
  workspace: string;
  job: string;
  filter: RejectFilter;
  counts: RejectsCounted | undefined;
  selected: ReadonlySet<string>;
  onDone: () => void;
};

/** What can be done with the rows that are selected, or else with all that are shown. */
export function Selected({ workspace, job, filter, counts, selected, onDone }: Props) {
  const mayReplay = useMay(workspace, "runner");
  const mayDiscard = useMay(workspace, "editor");
  const replay = useReplay(workspace, job);
  const [asked, ask] = useDisclosure(false);
  // As they were when the question was asked: what is counted meanwhile nobody has agreed to.
  const [discarded, setDiscarded] = useState<{ chosen: Discarded; which: string }>();
  if (filter.state !== "open" || !counts?.states.open) return null;
  const chosen = chosenBy(filter, selected);
  const which = selected.size > 0 ? `${rows(selected.size)} selected` : whole(filter, counts);
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed" miw={110}>
        {which}
      </Text>
      {mayReplay && (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={replay.isPending}
          onClick={() => replay.mutate(chosen, { onSuccess: onDone, onError: showProblem })}
        >
          Replay
        </Button>
      )}
      {mayDiscard && (
        <Button
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => {
            setDiscarded({ chosen: toDiscard(chosen, counts), which });
            ask.open();
          }}
        >
          Discard
        </Button>
      )}
      <CopyAs commands={asCommands(workspace, job, chosen)} />
      {discarded && (
        <DiscardDialog
          workspace={workspace}
          job={job}
          {...discarded}
          opened={asked}
          onClose={ask.close}
          onDone={onDone}
        />
      )}
    </Group>
  );
}

type DialogProps = {
  workspace: string;
  job: string;
  chosen: Discarded;
  which: string;
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
};

export function DiscardDialog({ workspace, job, chosen, which, opened, onClose, onDone }: DialogProps) {
  const [note, setNote] = useState("");
  const discard = useDiscard(workspace, job);
  const done = () => {
    onClose();
    onDone();
    setNote("");
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={`Discard: ${which}?`}
      confirm="Discard"
      dangerous
      busy={discard.isPending}
      problem={discard.error}
      onConfirm={() => discard.mutate({ ...chosen, note }, { onSuccess: done })}
      onClose={onClose}
    >
      They will not go into the table. They are kept with this note, and can be opened again.
      {chosen.seen && " What was rejected after these were counted stays open."}
      <TextInput
        mt="sm"
        label="Why"
        placeholder="Such as: test orders of the shop"
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

function asCommands(workspace: string, job: string, { ids, reason, load_id, file }: Chosen) {
  const named = { "--reason": reason, "--load": load_id, "--file": file };
  const options = Object.entries(named).flatMap(([option, value]) => (value ? [option, quoted(value)] : []));
  const words = ids ?? (options.length > 0 ? options : ["--all"]);
  const body = ids ? { ids } : reason || load_id || file ? { reason, load_id, file } : { everything: true };
  const given = JSON.stringify(body).replaceAll("true", "True").replaceAll("null", "None");
  return commands(
    ["boathouse deadletter replay SPEC.yaml", ...words].join(" "),
    `print(control.pipelines.replay("${workspace}", "${job}", ${given}))`,
    curl(`/workspaces/${workspace}/pipelines/${job}/rejects/replay`, "POST", body),
  );
}

import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { FormDialog } from "@/parts/FormDialog";
import { Section } from "@/parts/Section";
import { useDeleteWorkspace } from "./saving";

/** What cannot be undone asks for more than a click. */
export function DeleteWorkspace({ name }: { name: string }) {
  const [asking, ask] = useDisclosure(false);
  const [typed, setTyped] = useState("");
  const remove = useDeleteWorkspace(name);
  const close = () => {
    setTyped("");
    remove.reset();
    ask.close();
  };
  return (
    <Section title="Delete the workspace">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw={560}>
          Its jobs, runs, connections with their secrets, datasets and members go with it. Tables in the lake
          and the audit stay.
        </Text>
        <Button variant="default" c="var(--failed)" onClick={ask.open}>
          Delete {name}
        </Button>
      </Group>
      <FormDialog
        opened={asking}
        title={`Delete ${name}?`}
        submit="Delete it for good"
        busy={remove.isPending}
        incomplete={typed !== name}
        problem={remove.error}
        onSubmit={() => remove.mutate()}
        onClose={close}
      >
        <Text size="sm">Nobody can undo this.</Text>
        <TextInput
          label={`Type ${name} to go on`}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
      </FormDialog>
    </Section>
  );
}

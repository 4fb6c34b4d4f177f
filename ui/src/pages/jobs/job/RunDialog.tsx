import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Job } from "@/api/types";
import { ProblemNote } from "@/parts/ProblemNote";
import { useStart } from "./changes";
import { ParameterField } from "./ParameterField";
import { type Given, given } from "./values";

type Props = { job: Job; workspace: string; opened: boolean; onClose: () => void };

/** Run with parameters: each as its type is, and where nothing is given the default. */
export function RunDialog({ job, workspace, opened, onClose }: Props) {
  const parameters = job.definition.parameters ?? [];
  const [values, setValues] = useState<Given>({});
  const start = useStart(workspace, job.name);
  return (
    <Modal opened={opened} onClose={onClose} title={`Run ${job.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(given(parameters, values));
        }}
      >
        <Stack gap="sm">
          {parameters.length === 0 && (
            <Text size="sm">It takes no parameters. It runs as it is now, version {job.version}.</Text>
          )}
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ""}
              onChange={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
            />
          ))}
          {start.error && <ProblemNote problem={start.error} />}
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={start.isPending}
              data-autofocus={parameters.length === 0 || undefined}
            >
              Start the run
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

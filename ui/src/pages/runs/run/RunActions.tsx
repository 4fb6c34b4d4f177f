import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerStop, IconRefresh, IconRepeat } from "@tabler/icons-react";
import type { RunInFull } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { isOver } from "@/parts/states";
import { useRerun, useRetry, useStop } from "./changes";

type Props = { run: RunInFull; workspace: string };

export function RunActions({ run, workspace }: Props) {
  const may = useMay(workspace, "runner");
  return (
    <>
      {may && !isOver(run.state) && <StopButton run={run} workspace={workspace} />}
      {may && isOver(run.state) && run.state !== "succeeded" && !run.flow_id && (
        <RetryButton run={run} workspace={workspace} />
      )}
      {may && isOver(run.state) && run.trigger !== "query" && !run.flow_id && (
        <RerunButton run={run} workspace={workspace} />
      )}
      <CopyAs commands={asCommands(run, workspace)} />
    </>
  );
}

function StopButton({ run, workspace }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const stop = useStop(workspace, run.id);
  return (
    <>
      <Button
        color="red.9"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        onClick={open}
        disabled={run.stop_by !== null}
      >
        {run.stop_by ? "Stopping" : "Stop"}
      </Button>
      <ConfirmDialog
        opened={opened}
        title="Stop this run?"
        confirm="Stop it"
        dangerous
        busy={stop.isPending}
        problem={stop.error}
        onConfirm={() => stop.mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        What it has written so far stays. It can be tried again later.
      </ConfirmDialog>
    </>
  );
}

function RetryButton({ run, workspace }: Props) {
  const retry = useRetry(workspace, run.id);
  const flow = run.tasks.length > 0;
  const title = flow ? "Does the tasks that did not succeed, in this run" : "Another attempt in this run";
  return (
    <Button
      title={title}
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {flow ? "Repair" : "Retry"}
    </Button>
  );
}

function RerunButton({ run, workspace }: Props) {
  const rerun = useRerun(workspace, run);
  return (
    <Button
      variant="default"
      title="A new run of the job as it is now, with the same values"
      leftSection={<IconRepeat size={14} aria-hidden />}
      loading={rerun.isPending}
      onClick={() => rerun.mutate()}
    >
      Run again
    </Button>
  );
}

function asCommands(run: RunInFull, workspace: string) {
  return commands(
    `boathouse run show ${run.id} --workspace ${workspace}`,
    `print(control.runs.get("${workspace}", "${run.id}"))`,
    curl(`/workspaces/${workspace}/runs/${run.id}`),
  );
}

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay, IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import type { Job, Stream } from "@/api/types";
import { RunDialog } from "@/pages/jobs/job/RunDialog";
import { useStop } from "@/pages/runs/run/changes";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { useBegin } from "./changes";
import { isUnderWay } from "./status";

type Props = { job: Job; stream: Stream | null; workspace: string };

/** Start, or stop and restart: one of them is at work at a time. */
export function StreamButtons({ job, stream, workspace }: Props) {
  if (!isUnderWay(stream)) return <StartButton job={job} workspace={workspace} />;
  return (
    <>
      <StopButton job={job} stream={stream} workspace={workspace} />
      <RestartButton job={job} stream={stream} workspace={workspace} />
    </>
  );
}

function StartButton({ job, workspace }: Omit<Props, "stream">) {
  const [asked, ask] = useDisclosure(false);
  const begin = useBegin(workspace, job.name);
  const takesValues = (job.definition.parameters ?? []).length > 0;
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        loading={begin.isPending}
        onClick={() => (takesValues ? ask.open() : begin.mutate({ values: {} }))}
      >
        Start
      </Button>
      <RunDialog job={job} workspace={workspace} opened={asked} onClose={ask.close} />
    </>
  );
}

type Under = { job: Job; stream: Stream; workspace: string };

function StopButton({ job, stream, workspace }: Under) {
  const [opened, { open, close }] = useDisclosure(false);
  const stop = useStop(workspace, stream.run_id);
  return (
    <>
      <Button
        color="red.9"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        onClick={open}
        disabled={stream.stop_by !== null}
      >
        {stream.stop_by === null ? "Stop" : "Stopping"}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={`Stop ${job.name}?`}
        confirm="Stop it"
        dangerous
        busy={stop.isPending}
        problem={stop.error}
        onConfirm={() => stop.mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        It finishes the batch that it has begun. When it is started again it goes on from there, and nothing
        is lost or doubled.
      </ConfirmDialog>
    </>
  );
}

function RestartButton({ job, stream, workspace }: Under) {
  const begin = useBegin(workspace, job.name);
  return (
    <Button
      variant="default"
      title="Stops it, and starts the job as it is now with the same values"
      leftSection={<IconRefresh size={14} aria-hidden />}
      loading={begin.isPending}
      disabled={stream.stop_by !== null}
      onClick={() => begin.mutate({ values: stream.values, otherwise: "replace" })}
    >
      Restart
    </Button>
  );
}

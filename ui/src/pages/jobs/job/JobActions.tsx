import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Job } from "@/api/types";
import { useMay } from "@/app/session";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";
import { LinkButton } from "@/parts/LinkButton";
import { usePause, useRemove } from "./changes";
import { RunDialog } from "./RunDialog";
import { Stays } from "./Stays";
import { staying } from "./staying";

type Props = { job: Job; workspace: string };
type AllProps = Props & {
  /** In place of the button that runs it, where there is more to do than that. */
  running?: ReactNode;
};

export function JobActions({ job, workspace, running: own }: AllProps) {
  const [running, run] = useDisclosure(false);
  const mayRun = useMay(workspace, "runner");
  const mayEdit = useMay(workspace, "editor");
  return (
    <>
      {mayRun && own}
      {mayRun && !own && (
        <Button leftSection={<IconPlayerPlay size={14} aria-hidden />} onClick={run.open}>
          Run
        </Button>
      )}
      {mayRun && job.definition.schedule && <PauseButton job={job} workspace={workspace} />}
      {mayEdit && (
        <LinkButton
          variant="default"
          to="/w/$workspace/jobs/$job/edit"
          params={{ workspace, job: job.name }}
          leftSection={<IconPencil size={14} aria-hidden />}
        >
          Edit
        </LinkButton>
      )}
      <CopyAs commands={asCommands(job, workspace)} />
      {mayEdit && <MoreMenu job={job} workspace={workspace} />}
      <RunDialog job={job} workspace={workspace} opened={running} onClose={run.close} />
    </>
  );
}

function PauseButton({ job, workspace }: Props) {
  const pause = usePause(workspace, job.name, job.paused);
  const Sign = job.paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button
      variant="default"
      leftSection={<Sign size={14} aria-hidden />}
      loading={pause.isPending}
      onClick={() => pause.mutate()}
      title={
        job.paused ? "Let its schedule go on, from now" : "Let its schedule rest; it can still be run by hand"
      }
    >
      {job.paused ? "Resume" : "Pause"}
    </Button>
  );
}

function MoreMenu({ job, workspace }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const remove = useRemove(workspace, job.name);
  const left = staying(job.definition);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More">
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item c="var(--failed)" leftSection={<IconTrash size={14} aria-hidden />} onClick={open}>
            Delete the job
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={opened}
        title={`Delete ${job.name}?`}
        confirm="Delete it"
        dangerous
        busy={remove.isPending}
        problem={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        All its versions, its runs and their logs go with it. This cannot be undone; to let its schedule rest,
        pause it.
        {left && <Stays {...left} />}
      </ConfirmDialog>
    </>
  );
}

function asCommands({ name }: Job, workspace: string) {
  return commands(
    `boathouse job run ${name} --workspace ${workspace}`,
    `print(control.runs.submit("${workspace}", "${name}", {}))`,
    curl(`/workspaces/${workspace}/jobs/${name}/runs`, "POST", { values: {} }),
  );
}

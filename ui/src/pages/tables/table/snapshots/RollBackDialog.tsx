import { notifications } from "@mantine/notifications";
import type { Snapshot } from "@/api/types";
import { count } from "@/parts/amounts";
import { ConfirmDialog } from "@/parts/ConfirmDialog";
import { exactly } from "@/parts/times";
import { useRollBack } from "../../changes";

type Props = {
  name: string;
  workspace: string;
  /** Where to; nowhere while nobody asks. */
  target: Snapshot | undefined;
  current: Snapshot | undefined;
  onClose: () => void;
};

export function RollBackDialog({ name, workspace, target, current, onClose }: Props) {
  const back = useRollBack(workspace, name);
  const close = () => {
    onClose();
    back.reset();
  };
  const done = () => {
    close();
    notifications.show({ message: `${name} is as it was at ${target && exactly(new Date(target.at))}.` });
  };
  return (
    <ConfirmDialog
      opened={target !== undefined}
      title={`Roll ${name} back?`}
      confirm="Roll back"
      dangerous
      busy={back.isPending}
      problem={back.error}
      onConfirm={() =>
        target && back.mutate({ snapshot_id: target.id, seen: current?.id ?? null }, { onSuccess: done })
      }
      onClose={close}
    >
      {target && (
        <>
          Whoever reads it sees it as it was at {exactly(new Date(target.at))}, with{" "}
          {count(target.total_rows)} rows instead of {count(current?.total_rows)}. Nothing is deleted: what
          was written since can be read as of its snapshot until that is expired. Writers that are at work now
          may have to begin again.
        </>
      )}
    </ConfirmDialog>
  );
}

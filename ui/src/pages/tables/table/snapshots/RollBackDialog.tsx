import { Text } from "@mantine/core";
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
      title={target?.ahead ? `Take ${name} forward again?` : `Roll ${name} back?`}
      confirm={target?.ahead ? "Go forward" : "Roll back"}
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
          {count(target.total_rows)} rows instead of {count(current?.total_rows)}. Writers that are at work
          now may have to begin again.
          {!target.ahead && (
            <>
              <Text size="sm" mt="xs">
                Nothing is deleted: the newer snapshots stay, marked “aside”, and can be read until they
                expire. As long as nothing else is written, the table can go forward to one of them again.
              </Text>
              <Text size="sm" mt="xs">
                Files that a pipeline has loaded still count as loaded, and are not loaded again by its next
                run.
              </Text>
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

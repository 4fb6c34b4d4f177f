import { Drawer, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ProblemNote } from "@/parts/ProblemNote";
import { rejectQuery } from "../queries";
import { useSearch } from "./changes";
import { place } from "./place";
import { RejectView } from "./RejectView";

type Props = { workspace: string; job: string; reject: string | undefined };

/** A rejected row whole, beside the list. */
export function RejectDrawer({ workspace, job, reject }: Props) {
  const goTo = useSearch(workspace, job);
  const asked = useQuery({ ...rejectQuery(workspace, job, reject ?? ""), enabled: reject !== undefined });
  const close = () => void goTo({ row: undefined });
  return (
    <Drawer
      opened={reject !== undefined}
      onClose={close}
      position="right"
      size="lg"
      title={asked.data ? place(asked.data) : "Rejected row"}
      closeButtonProps={{ "aria-label": "Close" }}
      // The head of a drawer is no banner of the page.
      attributes={{ header: { role: "presentation" } }}
    >
      {asked.error && !asked.data && <ProblemNote problem={asked.error} />}
      {!asked.data && !asked.error && <Skeleton height={240} />}
      {asked.data && (
        <RejectView key={asked.data.id} workspace={workspace} job={job} reject={asked.data} onDone={close} />
      )}
    </Drawer>
  );
}

import { useParams } from "@tanstack/react-router";
import { remembered } from "@/app/remembered";
import { useWorkspaces } from "@/app/session";

/** The workspace of the page; on pages that belong to none, the one that was looked at last. */
export function useCurrentWorkspace(): string | undefined {
  const { workspace } = useParams({ strict: false });
  const known = useWorkspaces();
  const wanted = workspace ?? remembered("workspace");
  return known.find((one) => one.name === wanted)?.name ?? known[0]?.name;
}

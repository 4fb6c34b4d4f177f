import { covers, useMe, useWorkspaces } from "@/app/session";
import { PLACES, type Place } from "./places";
import { useCurrentWorkspace } from "./useCurrentWorkspace";

/** The places that the user may go to. */
export function usePlaces(): Place[] {
  const me = useMe();
  const current = useCurrentWorkspace();
  const role = useWorkspaces().find((one) => one.name === current)?.role;
  return PLACES.filter(
    (place) =>
      (me.is_platform_admin || !place.platform) &&
      (role !== undefined || !String(place.to).startsWith("/w/")) &&
      (!place.least || (role !== undefined && covers(role, place.least))),
  );
}

import type { RejectsCounted } from "@/api/types";
import { rows } from "../figures";
import type { RejectFilter } from "../queries";
import type { Chosen, Discarded } from "./changes";

/** Those that are selected, else all that the filter shows. */
export function chosenBy({ reason, load, file }: RejectFilter, selected: ReadonlySet<string>): Chosen {
  if (selected.size > 0) return { ids: [...selected] };
  return { reason, load_id: load, file, everything: !(reason || load || file) };
}

/** How many that are, in words. */
export function whole({ reason, load, file }: RejectFilter, counts: RejectsCounted): string {
  if (load || file) return "All that are shown";
  const known = counts.reasons.find((one) => one.value === reason)?.rows;
  return reason
    ? `All with this reason${known ? `: ${rows(known)}` : ""}`
    : `All ${rows(counts.states.open ?? 0)}`;
}

/** Of rows that are not named only those that were counted: on a live stream others come meanwhile, which nobody has seen. */
export function toDiscard(chosen: Chosen, { seen }: RejectsCounted): Discarded {
  return chosen.ids ? chosen : { ...chosen, seen };
}

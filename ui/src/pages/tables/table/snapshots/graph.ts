/** A row of the graph of snapshots: what is drawn beside one of them. */
export type GraphRow = {
  /** Where its dot is. The line of the current snapshot is the first. */
  lane: number;
  /** Lines from above that end in its dot. */
  into: number[];
  /** Lines that pass by. */
  by: number[];
  /** Whether its own line goes on below, to what it was made of. */
  on: boolean;
};

type Node = { id: string; parent_id: string | null; ancestor: boolean };

/** Lanes of snapshots, the newest first. What is not there, or not loaded yet, is below the last. */
export function drawn(snapshots: readonly Node[]): GraphRow[] {
  /** Which snapshot each lane leads to. */
  const lanes: (string | null)[] = [null];
  return snapshots.map(({ id, parent_id, ancestor }) => {
    const into = placesOf(lanes, id);
    const lane = ancestor ? 0 : (into.find((one) => one > 0) ?? free(lanes));
    for (const one of into) lanes[one] = null;
    const by = lanes.flatMap((waits, place) => (waits !== null && place !== lane ? [place] : []));
    lanes[lane] = parent_id;
    return { lane, into, by, on: parent_id !== null };
  });
}

export function width(rows: readonly GraphRow[]): number {
  return rows.reduce((most, row) => Math.max(most, row.lane, ...row.into, ...row.by), 0) + 1;
}

function placesOf(lanes: readonly (string | null)[], id: string): number[] {
  return lanes.flatMap((waits, place) => (waits === id ? [place] : []));
}

/** The first lane beside the main one that leads nowhere. */
function free(lanes: (string | null)[]): number {
  const found = lanes.findIndex((waits, place) => place > 0 && waits === null);
  return found === -1 ? lanes.length : found;
}

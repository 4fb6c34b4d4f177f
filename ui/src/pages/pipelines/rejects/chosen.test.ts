import { expect, test } from "vitest";
import type { RejectsCounted } from "@/api/types";
import type { RejectFilter } from "../queries";
import { chosenBy, toDiscard, whole } from "./chosen";

const counts: RejectsCounted = {
  states: { open: 5 },
  reasons: [{ value: "is odd", rows: 2 }],
  loads: [],
  files: [],
  complete: true,
  seen: "77",
};
const all: RejectFilter = { state: "open" };

test("what is given up without being named is no more than what was counted", () => {
  const chosen = chosenBy(all, new Set());
  expect(whole(all, counts)).toBe("All 5 rows");
  expect(toDiscard(chosen, counts)).toMatchObject({ everything: true, seen: "77" });
  const odd = { ...all, reason: "is odd" };
  expect(whole(odd, counts)).toBe("All with this reason: 2 rows");
  expect(toDiscard(chosenBy(odd, new Set()), counts)).toMatchObject({
    reason: "is odd",
    everything: false,
    seen: "77",
  });
});

test("rows that are selected are those", () => {
  expect(toDiscard(chosenBy(all, new Set(["a", "b"])), counts)).toEqual({ ids: ["a", "b"] });
});

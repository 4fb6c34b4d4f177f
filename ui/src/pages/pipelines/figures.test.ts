import { describe, expect, it } from "vitest";
import type { Figures } from "@/api/types";
import { brokenByRule, isReplay, type Report, reportOf, rows, thatMoved } from "./figures";

const nothing = { files_loaded: 0, rows_in: 0, rows_written: 0, rows_quarantined: 0, rules: [] };

function run(id: string, report: object | null): Figures {
  return { run_id: id, report } as Figures;
}

describe("the figures of a pipeline", () => {
  it("are known only of runs that came to their end", () => {
    expect(reportOf(run("a", null))).toBeUndefined();
    expect(reportOf(run("a", { kind: "replay" }))).toBeUndefined();
    expect(reportOf(run("a", { kind: "load", ...nothing }))?.rows_in).toBe(0);
    expect(isReplay(run("a", { kind: "replay" }))).toBe(true);
  });

  it("leave out runs that found nothing new, and go from the oldest to the newest", () => {
    const runs = [run("c", { ...nothing, load_id: "3" }), run("b", { ...nothing, load_id: null })];
    const found = thatMoved([...runs, run("a", { ...nothing, load_id: "1" })]);
    expect(found.map((one) => one.run.run_id)).toEqual(["a", "c"]);
  });

  it("tell of each rule how often it was broken, also where a run did not know it yet", () => {
    const first = { ...nothing, rules: [{ rule: "fits the schema", action: "quarantine", rows: 2 }] };
    const second = {
      ...nothing,
      rules: [
        { rule: "fits the schema", action: "quarantine", rows: 0 },
        { rule: "price > 0", action: "drop", rows: 5 },
      ],
    };
    expect(brokenByRule([first, second] as unknown as Report[])).toEqual([
      { rule: "fits the schema", action: "quarantine", rows: [2, 0] },
      { rule: "price > 0", action: "drop", rows: [0, 5] },
    ]);
  });

  it("are said as people say them", () => {
    expect(rows(1)).toBe("1 row");
    expect(rows(12_345)).toBe("12,345 rows");
  });
});

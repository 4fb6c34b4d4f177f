import { describe, expect, it } from "vitest";
import type { Hop, Pipeline, Stream, StreamStatus } from "@/api/types";
import { behind, broken, delay, inShort, KEPT_MS, lag, rate, shownState, silence, withRates } from "./status";

const hop = { name: "speed", state: "running", rate: 10, lag: 5, freshness: 1 } as Hop;

function status(at: number, ...hops: Hop[]): StreamStatus {
  return { at: new Date(at).toISOString(), hops, alerts: [] } as unknown as StreamStatus;
}

function stream(
  state: Stream["state"],
  stop_by: string | null = null,
  silent_seconds: number | null = null,
): Stream {
  return {
    state,
    stop_by,
    silent_seconds,
    status: status(0, hop, { ...hop, name: "silver", lag: null, freshness: 9 }),
  } as Stream;
}

describe("the figures of a stream", () => {
  it("keep the rates of the last minutes, each once", () => {
    let history = withRates({}, status(1000, hop));
    history = withRates(history, status(1000, hop));
    history = withRates(history, status(2000, { ...hop, rate: 20 }));
    expect(history.speed?.map((point) => point.rate)).toEqual([10, 20]);
    history = withRates(history, status(2000 + KEPT_MS, { ...hop, rate: 30 }));
    expect(history.speed?.map((point) => point.rate)).toEqual([30]);
  });

  it("say of a hop what it does, and of a run that is over that it does nothing", () => {
    expect(shownState(hop, stream("running"))).toBe("running");
    expect(shownState(hop, stream("running", "ann"))).toBe("stopping");
    expect(shownState({ ...hop, state: "failing" }, stream("running", "ann"))).toBe("failing");
    expect(shownState(hop, stream("failed"))).toBe("stopped");
    expect(shownState(hop, null)).toBe("stopped");
  });

  it("are told in a line by what comes in and by the hop that is furthest behind", () => {
    const told = inShort({ stream: stream("running") } as Pipeline);
    expect([told.rate, told.lag, told.behind]).toEqual([10, 5, "9.0 s"]);
    expect(inShort({ stream: stream("cancelled") } as Pipeline).rate).toBeUndefined();
    expect(inShort({ stream: null } as Pipeline).lag).toBeUndefined();
  });

  it("are not those of now while it waits for its next try", () => {
    const waits = stream("pending");
    expect(shownState(hop, waits)).toBe("waiting");
    const told = inShort({ stream: waits } as Pipeline);
    expect([told.status, told.rate, told.lag, told.behind]).toEqual([null, undefined, undefined, "–"]);
  });

  it("are marked as old once it has told nothing for too long", () => {
    const hangs = stream("running", null, 95);
    expect(shownState(hop, hangs)).toBe("silent");
    const told = inShort({ stream: hangs } as Pipeline);
    expect(told.silent).toBe("It has told nothing for 1 min 35 s: its figures are as old as that.");
    expect([told.rate, told.lag, told.alerts]).toEqual([undefined, 5, [told.silent]]);
    expect(inShort({ stream: stream("running") } as Pipeline).silent).toBeUndefined();
    // Nobody expects a word of one that is over.
    expect(silence(stream("failed", null, 95))).toBeUndefined();
  });

  it("say that a hop with nothing left is caught up, however old the newest event is", () => {
    const done = { ...hop, lag: 0, freshness: 92 };
    const source = { ...done, lag: null, lag_bytes: 0 };
    expect(delay(hop, 30)).toEqual({ value: "1.0 s", most: "30 s" });
    expect([delay(done, 30), delay(source, 30)]).toEqual([{ value: "caught up" }, { value: "caught up" }]);
    const all = { ...stream("running"), status: status(0, source, done) };
    expect(inShort({ stream: all } as Pipeline).behind).toBe("caught up");
    const one = { ...stream("running"), status: status(0, done, { ...hop, freshness: 3 }) };
    expect(inShort({ stream: one } as Pipeline).behind).toBe("3.0 s");
  });

  it("say nothing of how far it is behind before anything has arrived", () => {
    const source = { ...hop, lag: null, lag_bytes: 700, freshness: 0 };
    const before = { ...stream("running"), status: status(0, source, { ...hop, freshness: null }) };
    expect(inShort({ stream: before } as Pipeline).behind).toBe("–");
  });

  it("set no bytes against an aim in events", () => {
    expect(lag(hop, 100_000)).toEqual({ value: "5", most: "100,000" });
    expect(lag({ ...hop, lag: null, lag_bytes: 2048 }, 100_000)).toEqual({ value: "2 KiB" });
  });

  it("know which aim of a hop is broken", () => {
    const alerts = [{ hop: "speed", what: "lag" }] as StreamStatus["alerts"];
    expect([...broken(hop, alerts)]).toEqual(["lag"]);
    expect(broken({ ...hop, name: "bronze" }, alerts).size).toBe(0);
  });

  it("are said as people say them", () => {
    expect([rate(0), rate(3.52), rate(4), rate(1234.6)]).toEqual(["0", "3.5", "4", "1,235"]);
    expect([behind(null), behind(0.84), behind(42.4), behind(200)]).toEqual(["–", "0.8 s", "42 s", "3 min"]);
    const source = { ...hop, lag: null };
    const lags = [lag(hop), lag(source), lag({ ...source, lag_bytes: 2048 })];
    expect(lags.map(({ value }) => value)).toEqual(["5", "–", "2 KiB"]);
  });
});

import { expect, test } from "vitest";
import { canReplay, isNoText, lacking, name, ofBytes, parted, place, topicOf, wherefrom } from "./place";

test("a row of a file is named by the file and its line", () => {
  const row = { file: "s3://lakehouse/in/orders.csv", line: 1234 };
  expect(topicOf(row)).toBeNull();
  expect(place(row)).toBe("orders.csv:1234");
  expect(wherefrom(row)).toBe("s3://lakehouse/in/orders.csv, line 1234");
  expect(place({ ...row, line: null })).toBe("orders.csv");
});

test("an event is named by its topic, partition and offset", () => {
  const event = { file: "kafka://meters.public.readings/1", line: 77 };
  expect(topicOf(event)).toEqual({ topic: "meters.public.readings", partition: "1" });
  expect(place(event)).toBe("meters.public.readings/1:77");
  expect(wherefrom(event)).toBe("meters.public.readings, partition 1, offset 77");
});

test("of a topic what is its own stands apart, to be seen where there is no room for all of it", () => {
  expect(parted({ file: "kafka://meters.public.readings/1", line: 77 })).toEqual([
    "meters.public.",
    "readings/1",
  ]);
  expect(parted({ file: "kafka://clicks/0", line: 7 })).toEqual(["", "clicks/0"]);
  expect(parted({ file: "s3://lakehouse/in/orders.2026.csv", line: 7 })).toEqual(["", "orders.2026.csv"]);
});

test("a filter names a topic with its partition", () => {
  expect(name({ file: "kafka://meters.public.readings/1", line: null })).toBe("meters.public.readings/1");
});

const row = { file: "s3://lakehouse/in/orders.csv", line: 3, raw: "3;x", mended: null };
const event = { file: "kafka://clicks/0", line: 7, raw: "x", mended: null };

test("an event without a value is no file", () => {
  expect(lacking(event)).toContain("tombstone");
  expect(lacking(row)).toContain("a file");
  expect(canReplay({ ...event, raw: null })).toBe(true);
  expect(canReplay({ ...row, raw: null })).toBe(false);
});

test("an event in Avro is no text, whatever its bytes happen to be", () => {
  expect(isNoText({ raw: "x", raw_base64: null, form: "base64" })).toBe(true);
  expect(isNoText({ raw: null, raw_base64: null, form: "base64" })).toBe(false);
  expect(isNoText({ raw: "x", raw_base64: null, form: "text" })).toBe(false);
  expect(isNoText({ raw: "�", raw_base64: "/w==", form: "text" })).toBe(true);
});

test("an event whose bytes are no text can be replayed as it stood, and a line of a file cannot", () => {
  expect(ofBytes(event)).toContain("as they stood");
  expect(ofBytes(row)).toContain("only once it is mended");
});

import { expect, test } from "vitest";
import { place, topicOf, wherefrom } from "./place";

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

import { expect, test } from "vitest";
import { inWords } from "./schedules";

test("a schedule is told in words", () => {
  expect(inWords({ cron: "0 6 * * 1-5", timezone: "Europe/Zurich" })).toBe(
    "At 06:00, Monday through Friday (Europe/Zurich)",
  );
});

test("what has no words is told as it stands", () => {
  expect(inWords({ cron: "whenever", timezone: "UTC" })).toBe("whenever (UTC)");
});

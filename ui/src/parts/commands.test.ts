import { expect, test } from "vitest";
import { curl, quoted } from "./commands";

test("what a shell would take apart is quoted", () => {
  expect(quoted("daily-orders")).toBe("daily-orders");
  expect(quoted("it's; rm")).toBe(`'it'\\''s; rm'`);
});

test("a token is named and never written out", () => {
  expect(curl("/me")).toContain('-H "Authorization: Bearer $BOATHOUSE_TOKEN"');
});

test("a change is sent as what it is", () => {
  expect(curl("/x", "POST")).toContain("-X POST");
  expect(curl("/x", "POST", { values: { day: "it's" } })).toContain(`--json '{"values":{"day":"it'\\''s"}}'`);
});

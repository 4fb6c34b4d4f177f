import { expect, test } from "vitest";
import { configOf, fieldsOf, labelOf, leadsElsewhere } from "./fields";

const SCHEMA = {
  required: ["host", "servers"],
  properties: {
    host: { type: "string", title: "Host", maxLength: 255 },
    port: { type: "integer", default: 5432, minimum: 1, maximum: 65535 },
    ssl: { type: "string", enum: ["disable", "require"], default: "require" },
    user: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    authority: { anyOf: [{ type: "string", maxLength: 20000 }, { type: "null" }], default: null },
    servers: { type: "array", items: { type: "string" } },
    path_style: { type: "boolean", default: true, description: "`yes` or no." },
  },
};

test("a kind's schema becomes fields, each as its type is", () => {
  const fields = fieldsOf(SCHEMA);
  expect(fields.map(({ name, shape, required }) => [name, shape, required])).toEqual([
    ["host", "text", true],
    ["port", "number", false],
    ["ssl", "choice", false],
    ["user", "text", false],
    ["authority", "long", false],
    ["servers", "list", true],
    ["path_style", "boolean", false],
  ]);
  expect(fields[1]).toMatchObject({ otherwise: 5432, min: 1, max: 65535 });
  expect(fields[6]).toMatchObject({ label: "Path style", description: "yes or no." });
});

test("names are written as people read them", () => {
  expect([labelOf("access_key"), labelOf("uri"), labelOf("api_key")]).toEqual([
    "Access key",
    "URI",
    "API key",
  ]);
});

test("what was left empty is not sent", () => {
  expect(configOf({ host: "db", port: "", user: null, servers: [], tls: false })).toEqual({
    host: "db",
    tls: false,
  });
});

test("what leads a secret elsewhere is noticed, and an empty field is its default", () => {
  const fields = fieldsOf(SCHEMA);
  const before = { host: "db", port: 5432, ssl: "require", user: "a" };
  const elsewhere = (change: object) =>
    leadsElsewhere(fields, ["user"], before, { ...before, ...change })?.name;
  expect(elsewhere({ user: "b" })).toBeUndefined();
  expect(elsewhere({ port: "" })).toBeUndefined();
  expect(elsewhere({ host: "mine" })).toBe("host");
  expect(elsewhere({ ssl: "disable" })).toBe("ssl");
});

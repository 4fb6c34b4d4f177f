import { expect, test } from "vitest";
import { addressOf } from "./address";

test.each([
  [{ host: "db", port: 5432, database: "meters", user: "u" }, "db:5432/meters"],
  [{ endpoint: "https://s3.example.org", bucket: "lake" }, "lake at s3.example.org"],
  [{ uri: "http://localhost:8181", warehouse: null }, "localhost:8181"],
  [{ servers: ["one:9092", "two:9092"] }, "one:9092, two:9092"],
  [{ account: "ORG-NAME", user: "u" }, "ORG-NAME"],
  [{}, ""],
])("%o leads to %s", (config, address) => {
  expect(addressOf(config)).toBe(address);
});

import { expect, test } from "vitest";
import { namesIn, parametersOf } from "./parameters";

test.each([
  ["SELECT :day, :most FROM t WHERE d = :day", ["day", "most"]],
  ["SELECT ':no', \":no\" -- :no\n/* :no */ FROM t WHERE a = :yes", ["yes"]],
  ["SELECT a::int, payload:city, f(x):y, :b::date", ["b"]],
  ["SELECT 'it''s :no', :yes", ["yes"]],
  ["SELECT 1", []],
])("%s asks for %o", (sql, names) => {
  expect(namesIn(sql)).toEqual(names);
});

test("only what the text asks for is sent, as its type is", () => {
  const sent = parametersOf("SELECT :n", { n: "integer", other: "date" }, { n: "3", other: "2026-01-01" });
  expect(sent.parameters.map(({ name, type }) => [name, type])).toEqual([["n", "integer"]]);
  expect(sent.values).toEqual({ n: 3 });
});

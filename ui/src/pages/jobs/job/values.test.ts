import { expect, test } from "vitest";
import type { Parameter } from "@/api/types";
import { given } from "./values";

const parameter = (name: string, type: Parameter["type"]): Parameter => ({ name, type, description: "" });
const parameters = [
  parameter("n", "integer"),
  parameter("x", "number"),
  parameter("full", "boolean"),
  parameter("day", "date"),
  parameter("name", "string"),
];

test("values are sent as their types have them", () => {
  expect(given(parameters, { n: "7", x: "0.5", full: "true", day: "2026-01-31", name: "12" })).toEqual({
    n: 7,
    x: 0.5,
    full: true,
    day: "2026-01-31",
    name: "12",
  });
});

test("what is left empty is left to the default", () => {
  expect(given(parameters, { n: "", name: "" })).toEqual({});
});

test("a long that a number cannot hold arrives whole, and nonsense as it was typed", () => {
  expect(given(parameters, { n: "9007199254740993", x: "many" })).toEqual({
    n: "9007199254740993",
    x: "many",
  });
});

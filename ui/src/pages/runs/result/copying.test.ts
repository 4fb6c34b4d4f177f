import { expect, test } from "vitest";
import { plainText, tsv } from "./copying";

test("cells are told apart by tabs, and what holds one stands in quotes", () => {
  expect(
    tsv([
      [1, "a\tb", null],
      [true, 'say "hi"\nthen go', { x: 1 }],
    ]),
  ).toBe('1\t"a\tb"\t\ntrue\t"say ""hi""\nthen go"\t"{""x"":1}"');
});

test("what has no value is copied as nothing", () => {
  expect([plainText(null), plainText(0), plainText("")]).toEqual(["", "0", ""]);
});

import { expect, test } from "vitest";
import { firstDraft, secretsOf } from "./secrets";

test("only what was given or taken away is sent", () => {
  expect(
    secretsOf({
      kept: { do: "keep" },
      gone: { do: "remove" },
      empty: { do: "give", way: "text", value: "" },
      typed: { do: "give", way: "text", value: " with a space " },
      variable: { do: "give", way: "env", value: " BOATHOUSE_SECRET_X " },
      mounted: { do: "give", way: "file", value: "db/password" },
    }),
  ).toEqual({
    gone: null,
    typed: " with a space ",
    variable: { env: "BOATHOUSE_SECRET_X" },
    mounted: { file: "db/password" },
  });
});

test("a secret that is there is kept unless somebody says otherwise", () => {
  expect(firstDraft({ kept: "sealed" })).toEqual({ do: "keep" });
  expect(firstDraft(undefined)).toEqual({ do: "give", way: "text", value: "" });
});

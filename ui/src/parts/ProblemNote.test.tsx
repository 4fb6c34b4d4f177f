import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Problem } from "@/api/problem";
import { connection } from "@/app/connection";
import { ProblemNote } from "./ProblemNote";

function show(problem: Problem, told?: string[]) {
  render(
    <MantineProvider>
      <ProblemNote problem={problem} told={told} />
    </MantineProvider>,
  );
}

test("what every field tells itself is not told again", () => {
  const problem = new Problem(422, "invalid-input", "No.", undefined, undefined, { name: "too short" });
  show(problem, ["name"]);
  expect(screen.queryByRole("alert")).toBeNull();
  show(problem, ["description"]);
  expect(screen.getByRole("alert").textContent).toBe("No.");
});

test("what stands between backticks is code", () => {
  show(new Problem(409, "conflict", "No worker is there.", "`boathouse up` starts one."));
  expect(screen.getByText("boathouse up").tagName).toBe("CODE");
});

test("a change that was not made is told as such, and otherwise once the server is back", () => {
  const problem = Problem.notKnown();
  connection.failed(problem);
  show(problem);
  expect(screen.getByRole("alert").textContent).toContain("Whether it was done is not known.");
  act(() => connection.answered());
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("status").textContent).toContain("try again");
});

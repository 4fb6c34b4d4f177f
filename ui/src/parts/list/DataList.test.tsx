import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Problem } from "@/api/problem";
import { DataList } from "./DataList";

type Row = { name: string };

function show(rows: Row[] | undefined, problem?: Problem) {
  render(
    <MantineProvider>
      <DataList
        label="Names"
        rows={rows}
        columns={[
          { id: "name", title: "Name", width: "1fr", cell: (row) => row.name, sortBy: (row) => row.name },
        ]}
        rowKey={(row) => row.name}
        empty="Nobody is here."
        problem={problem}
      />
    </MantineProvider>,
  );
}

const cells = () => screen.getAllByRole("cell").map((cell) => cell.textContent);

test("rows are shown, and sorted by a click on a column", () => {
  show([{ name: "b" }, { name: "a" }]);
  expect(cells()).toEqual(["b", "a"]);
  fireEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(cells()).toEqual(["a", "b"]);
  expect(screen.getByRole("columnheader").getAttribute("aria-sort")).toBe("ascending");
});

test("an empty list says so", () => {
  show([]);
  expect(screen.getByText("Nobody is here.")).toBeTruthy();
});

test("a list that is not there yet is busy, and has the height of rows", () => {
  show(undefined);
  expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("true");
  expect(screen.getAllByRole("row").length).toBe(9);
});

test("a list that cannot be had says why and what to do", () => {
  show(undefined, new Problem(403, "forbidden", "You may not.", "Ask an admin."));
  expect(screen.getByRole("alert").textContent).toContain("You may not.Ask an admin.");
});

test("what is known stays in sight when asking again fails", () => {
  show([{ name: "a" }], Problem.away());
  expect(cells()).toEqual(["a"]);
});

import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { CountInput } from "./CountInput";

test.each([
  ["12", 12],
  ["-3", -3],
  ["0", 0],
  ["", undefined],
  ["abc", "abc"],
  ["1.5", "1.5"],
])("%s is told as it was typed, a whole number as a number", (typed, told) => {
  const onChange = vi.fn();
  render(
    <MantineProvider>
      <CountInput aria-label="Retries" value={7} onChange={onChange} />
    </MantineProvider>,
  );
  fireEvent.change(screen.getByRole("textbox"), { target: { value: typed } });
  expect(onChange).toHaveBeenCalledWith(told);
});

import { expect, test } from "vitest";
import { currentTab, newDesk, newTab, readDesk, titleOf, withChange, withoutTab, withTab } from "./desk";

test("a text opens in place of an empty tab, and beside one that is written on", () => {
  const first = withTab(newDesk(), newTab({ sql: "SELECT 1" }));
  expect(first.tabs.map((tab) => tab.sql)).toEqual(["SELECT 1"]);
  const second = withTab(first, newTab({ sql: "SELECT 2" }));
  expect(second.tabs.map((tab) => tab.sql)).toEqual(["SELECT 1", "SELECT 2"]);
  expect(currentTab(second).sql).toBe("SELECT 2");
});

test("what is open already is looked at again, with what was changed in it", () => {
  const desk = withTab(newDesk(), newTab({ sql: "SELECT 1", saved: "daily" }));
  const changed = withChange(desk, desk.current, { sql: "SELECT 1 + 1" });
  const again = withTab(changed, newTab({ sql: "SELECT 1", saved: "daily" }));
  expect(again.tabs.map((tab) => tab.sql)).toEqual(["SELECT 1 + 1"]);
});

test("a tab that is closed leads to its neighbour, and the last one to an empty one", () => {
  const desk = withTab(withTab(newDesk(), newTab({ sql: "a" })), newTab({ sql: "b" }));
  const one = withoutTab(desk, desk.current);
  expect(currentTab(one).sql).toBe("a");
  expect(withoutTab(one, one.current).tabs.map((tab) => tab.sql)).toEqual([""]);
});

test("what was remembered comes back, and what is none is left alone", () => {
  const desk = withTab(newDesk(), newTab({ sql: "SELECT 1" }));
  expect(readDesk(JSON.stringify(desk))).toEqual(desk);
  for (const nonsense of [null, "", "{}", '{"tabs": [{}]}', "[1]"]) {
    expect(readDesk(nonsense).tabs.map((tab) => tab.sql)).toEqual([""]);
  }
});

test("a tab is called by its saved name, or by its first line", () => {
  expect(titleOf(newTab({ sql: "\n  SELECT a_long_name FROM somewhere.far" }))).toBe(
    "SELECT a_long_name FROM s…",
  );
  expect(titleOf(newTab({ sql: "SELECT 1", saved: "daily" }))).toBe("daily");
  expect(titleOf(newTab())).toBe("New query");
});

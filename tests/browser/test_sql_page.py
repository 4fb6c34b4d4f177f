"""What one can do with SQL in the browser: on the lake's own Spark, from the first letter to the file of rows."""

import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor
from tests.integration.worker_process import Workspace

TABLE = "sqlpage.boats"
MADE = f"""
DROP TABLE IF EXISTS {TABLE};
CREATE NAMESPACE IF NOT EXISTS sqlpage;
CREATE TABLE {TABLE} (id BIGINT, name STRING, length DOUBLE);
INSERT INTO {TABLE} VALUES (1, 'heron', 8.5), (2, 'egret, "white"', NULL);
INSERT INTO {TABLE} VALUES (3, 'bittern', 6.25)
"""
# Long enough that nobody misses it, and ended as soon as somebody wants it to be.
LONG = "SELECT count(*) AS some FROM range(0, 1000000000000, 1, 8) WHERE id * id % 7 = 3"


@pytest.fixture(scope="module")
def boats(workspace: Workspace) -> Generator[Workspace]:
    """A table of two snapshots, which the workspace knows as a dataset, and a connection to a Trino."""
    answered(workspace, MADE)
    workspace.http.post("/datasets/sync", json={}).raise_for_status()
    workspace.connection("fleet", "trino", {"address": "http://localhost:1", "user": "reader", "catalog": "lake"})
    yield workspace
    answered(workspace, f"DROP TABLE {TABLE}")


def answered(workspace: Workspace, sql: str) -> Any:
    asked = workspace.http.post("/queries", json={"sql": sql}).raise_for_status().json()
    run = workspace.ended(asked["run_id"])
    assert run["state"] == "succeeded", run["error"]
    return run


def write(page: Page, sql: str) -> None:
    """Into the editor, in place of what is there."""
    page.get_by_role("textbox", name="SQL").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(sql)


def ask(page: Page, sql: str) -> None:
    write(page, sql)
    page.keyboard.press("Control+Enter")


def choice(page: Page, name: str) -> Locator:
    """A field that offers a list, which has the same name."""
    return page.get_by_label(name, exact=True).and_(page.locator("input"))


def cells(page: Page, column: int) -> list[str]:
    """What stands in a column of the grid, the row's number being the first."""
    return page.locator(f"[role=gridcell][aria-colindex='{column}']").all_inner_texts()


def test_a_query_is_completed_run_sorted_copied_and_downloaded(
    admin: Visitor, boats: Workspace, tmp_path: Path
) -> None:
    page = admin.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    admin.go("/w/north/sql", "SQL")
    expect(page.get_by_text("Write SQL, and press Ctrl-Enter")).to_be_visible()
    admin.looks_well("sql-empty")
    page.get_by_role("textbox", name="SQL").click()
    page.keyboard.type("SELECT * FROM sqlpa")
    expect(page.get_by_role("option", name=TABLE)).to_be_visible()
    admin.looks_well("sql-completion")
    page.keyboard.press("Enter")
    page.keyboard.type(" b WHERE b.na")
    page.get_by_role("option", name=re.compile("^name")).first.click()
    page.keyboard.type(" <> '' ORDER BY id")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("gridcell", name="heron")).to_be_visible()
    assert (
        page.get_by_role("textbox", name="SQL").inner_text()
        == f"SELECT * FROM {TABLE} b WHERE b.name <> '' ORDER BY id"
    )
    admin.looks_well("sql-result")
    _sort_and_copy(page)
    with page.expect_download() as found:
        page.get_by_role("button", name="Download").click()
        page.get_by_role("menuitem", name="CSV").click()
    found.value.save_as(tmp_path / "rows.csv")
    assert re.fullmatch(r"query-[0-9a-f]{8}\.csv", found.value.suggested_filename)
    expected = '"id","name","length"\n1,"heron",8.5\n2,"egret, ""white""",\n3,"bittern",6.25\n'
    assert (tmp_path / "rows.csv").read_text() == expected
    page.get_by_text("Chart", exact=True).click()
    expect(page.get_by_role("img", name="id by name")).to_be_visible()
    admin.looks_well("sql-chart")


def _sort_and_copy(page: Page) -> None:
    head = page.get_by_role("grid").get_by_role("button", name="length")
    head.click()
    expect(page.get_by_role("columnheader", name="length")).to_have_attribute("aria-sort", "ascending")
    expect(page.get_by_role("row").nth(1)).to_contain_text("bittern")
    head.click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("heron")
    assert cells(page, 4) == ["8.5", "6.25", "null"]
    page.get_by_role("gridcell", name="heron").click()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Control+c")
    expect(page.get_by_text("Copied 2 rows")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "heron\t8.5\nbittern\t6.25"
    page.get_by_role("button", name="Copy all").click()
    expect(page.get_by_text("Copied 3 rows")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == 'id\tname\tlength\n1\theron\t8.5\n3\tbittern\t6.25\n2\t"egret, ""white"""\t'
    page.get_by_role("gridcell", name="egret").dblclick()
    expect(page.get_by_role("dialog", name="name, row 3")).to_contain_text('egret, "white"')
    page.keyboard.press("Escape")


def test_an_error_is_shown_at_its_line_also_of_a_selection_and_a_value_that_is_missing(
    admin: Visitor, boats: Workspace
) -> None:
    page = admin.page
    admin.go("/w/north/sql", "SQL")
    ask(page, f"SELECT id,\n       nmae\nFROM {TABLE}")
    expect(page.get_by_role("alert")).to_contain_text("nmae")
    expect(page.locator(".cm-error-word")).to_have_text("nmae")
    admin.looks_well("sql-error")
    page.get_by_role("button", name="Go to line 2").click()
    expect(page.get_by_role("textbox", name="SQL")).to_be_focused()
    write(page, "SELECT 1 AS one;\nSELECT 2 AS two, nothing")
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Go to line 2")).to_be_visible()
    expect(page.locator(".cm-error-word")).to_have_text("nothing")
    ask(page, f"SELECT name FROM {TABLE} WHERE length > :least")
    expect(page.get_by_role("alert")).to_contain_text("The parameter 'least' has no value.")
    choice(page, "Type of least").click()
    page.get_by_role("option", name="number").click()
    page.get_by_placeholder("number").fill("7")
    admin.looks_well("sql-values")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("gridcell", name="heron")).to_be_visible()
    assert cells(page, 2) == ["heron"]


def test_a_long_query_is_found_again_after_a_reload_and_cancelled(admin: Visitor, boats: Workspace) -> None:
    page = admin.page
    admin.go("/w/north/sql", "SQL")
    ask(page, LONG)
    progress = page.get_by_role("status", name="Progress")
    expect(progress).to_contain_text("tasks")
    page.reload()
    expect(page.get_by_role("textbox", name="SQL")).to_contain_text("1000000000000")
    expect(progress).to_contain_text("tasks")
    admin.looks_well("sql-progress")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("It was cancelled.")
    newest = boats.http.get("/queries", params={"limit": 1}).json()["items"][0]
    assert (newest["sql"], newest["state"]) == (LONG, "cancelled")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_table_is_asked_as_of_a_snapshot_and_the_query_is_saved_renamed_and_found_in_the_history(
    admin: Visitor, boats: Workspace
) -> None:
    page = admin.page
    admin.go(f"/w/north/sql?table={TABLE}", "SQL")
    editor = page.get_by_role("textbox", name="SQL")
    expect(editor).to_have_text(f"SELECT * FROM {TABLE} LIMIT 100")
    page.wait_for_url("**/w/north/sql")
    page.get_by_role("button", name="As of").click()
    choice(page, "Snapshot").click()
    expect(page.get_by_role("option")).to_have_count(2)
    page.get_by_role("option", name="+2 rows").click()
    admin.looks_well("sql-as-of")
    page.get_by_role("button", name="Write it into the query").click()
    expect(editor).to_have_text(re.compile(rf"FROM {TABLE} VERSION AS OF \d+ LIMIT 100"))
    editor.click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("2 rows", exact=True)).to_be_visible()
    expect(page.get_by_role("gridcell", name="bittern")).to_have_count(0)
    choice(page, "Engine").click()
    expect(page.get_by_role("option", name="Trino: fleet")).to_be_visible()
    page.keyboard.press("Escape")
    _save(admin)
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("table", name="History").get_by_role("row").nth(1)).to_contain_text("succeeded")
    admin.looks_well("sql-history")
    page.get_by_role("textbox", name="Holds").fill("bittern")
    page.get_by_role("table", name="History").get_by_role("link", name=re.compile("DROP TABLE")).click()
    expect(editor).to_contain_text("CREATE NAMESPACE")
    expect(page.get_by_text("It returned no rows.")).to_be_visible()


def _save(admin: Visitor) -> None:
    page = admin.page
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_label("Name").fill("first-boats")
    page.get_by_label("Description").fill("As they were in the beginning.")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="first-boats", exact=True)).to_be_visible()
    page.get_by_role("button", name="Saved", exact=True).click()
    page.get_by_role("button", name="More for first-boats").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("dialog", name="Rename").get_by_label("Name").fill("early-boats")
    page.get_by_role("button", name="Change it").click()
    expect(page.get_by_role("link", name="early-boats")).to_be_visible()
    admin.looks_well("sql-saved")
    page.keyboard.press("Escape")
    admin.go("/w/north/sql?query=early-boats", "SQL")
    expect(page.get_by_role("button", name="early-boats", exact=True)).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Go to").fill("early-boats")
    expect(page.get_by_role("button", name=re.compile("^early-boats")).last).to_be_visible()
    page.keyboard.press("Escape")


def test_a_viewer_is_told_which_role_is_missing_and_sees_what_is_saved(
    visit: Callable[..., Visitor], boats: Workspace
) -> None:
    base = str(boats.http.base_url).replace("/workspaces/north/", "")
    user = {"name": "vivien", "password": "a lantern by the pier"}
    boats.http.post(f"{base}/users", json=user)
    boats.http.put("/members/vivien", json={"role": "viewer"}).raise_for_status()
    boats.http.put("/saved-queries/all-boats", json={"sql": f"SELECT * FROM {TABLE}"}).raise_for_status()
    vivien = visit()
    vivien.log_in(**user)
    vivien.go("/w/north/sql", "SQL")
    expect(vivien.page.get_by_text("Asking takes the role runner in north, and you are viewer.")).to_be_visible()
    expect(vivien.page.get_by_role("cell", name="all-boats")).to_be_visible()
    expect(vivien.page.get_by_role("button", name="Run", exact=True)).to_have_count(0)
    vivien.looks_well("sql-viewer")


def test_ten_thousand_rows_of_a_hundred_columns_are_looked_through(admin: Visitor, boats: Workspace) -> None:
    page = admin.page
    columns = ", ".join(f"id + {number} AS c{number}" for number in range(100))
    run = answered(boats, f"SELECT {columns} FROM range(10000) ORDER BY id")
    admin.go(f"/w/north/runs/{run['id']}?tab=result", "Query")
    grid = page.get_by_role("grid", name="Result")
    expect(grid).to_have_attribute("aria-rowcount", "10001")
    drawn = page.get_by_role("gridcell")
    assert drawn.count() < 1500
    drawn.first.click()
    page.keyboard.press("Control+End")
    expect(page.get_by_role("gridcell", name="10098", exact=True)).to_be_visible()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("[role=gridcell][aria-colindex='2']").first).to_have_text("9999")

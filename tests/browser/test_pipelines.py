"""What one can do with pipelines in the browser: see what they did, and mend, replay and discard what they rejected."""

import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor
from tests.integration.worker_process import Workspace

FIRST = """\
id;shop;quantity;price
1;north;2;9.50
2;north;two;1.00
3;south;-4;2.00
4;south;three;3.00
5;east;5;4.00
"""
SECOND = "id;shop;quantity;price\n6;north;1;9.50\n7;east;2;1.00\n8;west;0;5.00\n"
HERE = "/w/north/pipelines/shop-orders"


@pytest.fixture(scope="module")
def orders(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A pipeline that was run twice and has four rejects."""
    folder = tmp_path_factory.mktemp("incoming")
    pipeline = {
        "pipeline": "shop orders",
        "source": {"path": f"{folder}/*.csv", "format": "csv", "csv": {"delimiter": ";"}},
        "schema": {"id": "bigint", "shop": "string", "quantity": "int", "price": "decimal(10,2)"},
        "derive": {"amount": "quantity * price"},
        "expectations": [
            {"check": "quantity > 0"},
            {"name": "no tests", "check": "shop <> 'test'", "otherwise": "drop"},
        ],
        "target": {"table": f"shop_{secrets.token_hex(4)}.orders"},
    }
    job = {"kind": "pipeline", "spec": {"pipeline": pipeline}, "description": "What the shops sold, a file a day."}
    workspace.job("shop-orders", **job)
    for name, content in (("monday.csv", FIRST), ("tuesday.csv", SECOND)):
        (Path(folder) / name).write_text(content)
        run = workspace.ended(workspace.submit("shop-orders"))
        assert run["state"] == "succeeded", workspace.log(run["id"])
    assert run["report"]["rows_written"] == 2
    return workspace


def rejects(page: Page) -> Locator:
    return page.get_by_role("table", name="Rejects of shop-orders")


def table_rows(orders: Workspace) -> int:
    return orders.http.get("/pipelines/shop-orders/standing").json()["rows"]


def replayed(page: Page, words: str) -> None:
    expect(page.get_by_role("status", name="Replay")).to_contain_text(words)


def test_rejected_rows_are_seen_mended_replayed_and_discarded(admin: Visitor, orders: Workspace) -> None:
    page = admin.page
    admin.go("/w/north/pipelines", "Pipelines")
    expect(page.get_by_role("row").filter(has_text="shop-orders")).to_contain_text("4")
    admin.looks_well("pipelines")
    page.get_by_role("link", name="shop-orders").click()
    admin.sees_title("shop-orders")
    expect(page.get_by_role("heading", name="Expectations over time")).to_be_visible()
    expect(page.get_by_role("table", name="Expectations")).to_contain_text("fits the schema")
    admin.looks_well("pipeline-overview")

    page.get_by_role("navigation", name="Parts of the pipeline").get_by_role("link", name="Rejects").click()
    expect(rejects(page).get_by_role("row")).to_have_count(1 + 4)
    admin.looks_well("pipeline-rejects")

    # One row is mended, first not well enough.
    page.get_by_role("link", name="monday.csv:3").click()
    expect(page.get_by_role("note", name="Reason")).to_have_text("quantity is not int: two")
    admin.looks_well("pipeline-reject")
    page.get_by_label("As it should be").fill("2;north;-2;1.00")
    page.get_by_role("button", name="Save and replay").click()
    replayed(page, "1 row replayed: 0 written, 1 still open with the new reason")
    expect(rejects(page).get_by_role("row").filter(has_text="monday.csv:3")).to_contain_text("breaks: quantity > 0")
    assert table_rows(orders) == 4
    page.get_by_role("link", name="monday.csv:3").click()
    page.get_by_label("As it should be").fill("2;north;2;1.00")
    page.get_by_role("button", name="Save and replay").click()
    replayed(page, "1 row replayed: 1 written.")
    expect(rejects(page).get_by_role("row")).to_have_count(1 + 3)
    expect(page.get_by_text("open 3")).to_be_visible()
    assert table_rows(orders) == 5

    # Others are given up, with a reason, and one of them is not after all.
    page.get_by_role("button", name="breaks: quantity > 0").click()
    expect(rejects(page).get_by_role("row")).to_have_count(1 + 2)
    page.get_by_label("Select monday.csv:4").check()
    page.get_by_label("Select tuesday.csv:4").check()
    page.get_by_role("button", name="Discard").click()
    page.get_by_label("Why").fill("returned goods")
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(page.get_by_text("No row fits the filter")).to_be_visible()
    page.get_by_text("discarded 2").click()
    expect(rejects(page).get_by_role("row").filter(has_text="returned goods")).to_have_count(2)
    page.get_by_role("link", name="monday.csv:4").click()
    page.get_by_role("button", name="Open it again").click()
    expect(page.get_by_text("discarded 1")).to_be_visible()


@pytest.mark.parametrize("tab", ["runs", "spec"])
def test_the_other_parts_of_a_pipeline(admin: Visitor, orders: Workspace, tab: str) -> None:
    admin.go(f"{HERE}?tab={tab}", "shop-orders")
    seen = {"runs": admin.page.get_by_text("succeeded", exact=True), "spec": admin.page.get_by_text("quantity > 0")}
    expect(seen[tab].first).to_be_visible()
    admin.looks_well(f"pipeline-{tab}")


def test_a_viewer_sees_rejects_and_is_offered_nothing(visit: Callable[..., Visitor], orders: Workspace) -> None:
    base = str(orders.http.base_url).replace("/workspaces/north/", "")
    user = {"name": "vivian", "password": "a lantern by the pier"}
    orders.http.post(f"{base}/users", json=user)
    orders.http.put("/members/vivian", json={"role": "viewer"}).raise_for_status()
    vivian = visit()
    vivian.log_in(**user)
    vivian.go(f"{HERE}?tab=rejects", "shop-orders")
    expect(rejects(vivian.page).get_by_role("row").nth(1)).to_be_visible()
    expect(vivian.page.get_by_role("checkbox")).to_have_count(0)
    rejects(vivian.page).get_by_role("link").first.click()
    expect(vivian.page.get_by_role("note", name="Reason")).to_be_visible()
    expect(vivian.page.get_by_role("button", name=re.compile("Replay|Discard|Save"))).to_have_count(0)
    expect(vivian.page.get_by_label("As it should be")).to_have_count(0)

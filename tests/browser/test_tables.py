"""What one can do with tables in the browser, on tables that Spark wrote and on one with 10,000 files."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.large_table import make_large_table
from tests.browser.visitor import PATIENCE, Visitor
from tests.integration.worker_process import Workspace
from tests.lakehouse_under_test import LakehouseUnderTest

ORDERS = "harbour_shop.orders"
LARGE = "harbour_shop.eu.visits"
MAKE = f"""
CREATE NAMESPACE IF NOT EXISTS harbour_shop;
DROP TABLE IF EXISTS {ORDERS};
CREATE TABLE {ORDERS} (id bigint NOT NULL COMMENT 'Given by the shop', region string, amount int)
  PARTITIONED BY (region);
INSERT INTO {ORDERS} SELECT id, element_at(array('north', 'south', 'west'), 1 + cast(id % 3 AS int)), 10 FROM range(30);
ALTER TABLE {ORDERS} ADD COLUMN note string;
ALTER TABLE {ORDERS} ALTER COLUMN amount TYPE bigint;
ALTER TABLE {ORDERS} RENAME COLUMN amount TO total;
INSERT INTO {ORDERS} SELECT 100 + id, 'north', 20, 'late' FROM range(5);
DELETE FROM {ORDERS} WHERE region = 'west'
"""
REPORT = (
    f"CREATE OR REPLACE TABLE harbour_shop.by_region AS SELECT region, count(*) AS orders FROM {ORDERS} GROUP BY region"
)
TABS = ("overview", "schema", "data", "snapshots", "files", "partitions", "lineage", "grants")


@pytest.fixture(scope="module")
def shop(workspace: Workspace, stack: LakehouseUnderTest) -> Workspace:
    """Tables that jobs of the workspace made, and a large one; all of them synced."""
    for name, sql in (("take-orders", MAKE), ("count-orders", REPORT)):
        workspace.job(name, kind="sql", spec={"sql": sql})
        run = workspace.ended(workspace.submit(name))
        assert run["state"] == "succeeded", run["error"]
    make_large_table(stack.access, LARGE)
    workspace.http.post("/datasets/sync", json={}).raise_for_status()
    return workspace


def rows_of(table: Locator) -> Locator:
    return table.get_by_role("rowgroup").last.get_by_role("row")


def scroll_to(page: Page, table: str, wanted: Locator) -> None:
    """Down a list that is loaded as one scrolls, until it is in sight."""
    rows = page.get_by_role("table", name=table).get_by_role("rowgroup").last
    deadline = time.monotonic() + PATIENCE / 1000
    while not wanted.is_visible():
        assert time.monotonic() < deadline
        rows.evaluate("rows => rows.scrollTo(0, rows.scrollHeight)")
        page.wait_for_timeout(100)


def test_from_the_tree_to_a_table_its_schema_and_its_rows(admin: Visitor, shop: Workspace) -> None:
    page = admin.page
    admin.go("/w/north", "north")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Tables").click()
    admin.sees_title("Tables")
    page.get_by_role("button", name="Sync").click()
    expect(page.get_by_text(re.compile(r"tables found"))).to_be_visible()
    page.get_by_role("treeitem", name=re.compile("^All tables")).focus()
    for _ in range(40):
        if page.get_by_role("treeitem", name=re.compile("^harbour_shop")).evaluate(
            "one => one === document.activeElement"
        ):
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables?namespace=harbour_shop")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("treeitem", name=re.compile(r"^eu\s*1$"))).to_be_visible()
    page.get_by_role("textbox", name="Search tables").fill("region note")
    page.wait_for_url("**text=region*note*")
    expect(page.get_by_role("link", name="by_region")).to_have_count(0)
    page.get_by_role("link", name="orders", exact=True).click()
    admin.sees_title(ORDERS)
    page.get_by_role("button", name="Edit owner, tags and description").click()
    page.get_by_label("Description").fill("Every order since the shop opened")
    page.get_by_label("Owner").fill("Sales")
    page.get_by_role("combobox", name="Tags").fill("gold")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    expect(page.get_by_text("Every order since the shop opened")).to_be_visible()
    told: Any = shop.http.get(f"/datasets/{ORDERS}").json()
    assert (told["owner"], told["tags"]) == ("Sales", ["gold"])
    expect(page.get_by_text("data files are smaller than 64 MiB")).to_be_visible()
    page.get_by_role("link", name="Schema").click()
    for text in ("note string", "amount int → amount long", "amount long → total long", "Given by the shop"):
        expect(page.get_by_text(text, exact=True)).to_be_visible()
    page.get_by_role("link", name="Data").click()
    expect(page.get_by_text("25 rows", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Query").first).to_have_attribute(
        "href", re.compile("/w/north/sql.sql=SELECT")
    )
    page.get_by_role("link", name="gold").click()
    page.wait_for_url("**/tables?tag=gold")
    expect(page.get_by_role("link", name=ORDERS)).to_be_visible()


def test_two_snapshots_are_compared_one_is_looked_at_and_rolled_back_to(admin: Visitor, shop: Workspace) -> None:
    page = admin.page
    admin.go(f"/w/north/tables/{ORDERS}?tab=snapshots", ORDERS)
    snapshots: Any = shop.http.get(f"/datasets/{ORDERS}/snapshots").json()["items"]
    newest, _, oldest = (one["id"] for one in snapshots)
    # What Spark deletes by metadata alone it writes without a run's name.
    expect(page.get_by_role("link", name="take-orders")).to_have_count(2)
    for one in (newest, oldest):
        page.get_by_role("checkbox", name=f"Compare snapshot {one}").click()
    changed = page.get_by_role("region", name="What changed")
    expect(changed).to_contain_text("30 → 25 \N{MINUS SIGN}5")
    expect(changed).to_contain_text(re.compile(r"added\s*note string"))
    changed.get_by_text(re.compile(r"files? removed: 10 rows")).click()
    expect(changed.get_by_text(re.compile("region=west/.*parquet")).first).to_be_visible()
    page.get_by_role("button", name=f"More about snapshot {oldest}").click()
    page.get_by_role("menuitem", name="Its rows").click()
    expect(page.get_by_text("30 rows", exact=True)).to_be_visible()
    page.get_by_role("link", name="Snapshots").click()
    page.get_by_role("button", name=f"More about snapshot {oldest}").click()
    page.get_by_role("menuitem", name="Roll back to here").click()
    expect(page.get_by_role("dialog")).to_contain_text("with 30 rows instead of 25")
    page.get_by_role("button", name="Roll back", exact=True).click()
    expect(page.get_by_text("aside", exact=True)).to_have_count(2)
    told: Any = shop.http.get(f"/datasets/{ORDERS}/table").json()
    assert (told["rows"], told["current_snapshot_id"]) == (30, oldest)


def test_a_roll_back_of_a_table_that_has_moved_on_is_refused(admin: Visitor, shop: Workspace) -> None:
    page = admin.page
    shop.ended(shop.submit("take-orders"))
    admin.go(f"/w/north/tables/{ORDERS}?tab=snapshots", ORDERS)
    snapshots: Any = shop.http.get(f"/datasets/{ORDERS}/snapshots").json()["items"]
    page.get_by_role("button", name=f"More about snapshot {snapshots[2]['id']}").click()
    page.get_by_role("menuitem", name="Roll back to here").click()
    shop.http.post(f"/datasets/{ORDERS}/roll-back", json={"snapshot_id": snapshots[1]["id"]}).raise_for_status()
    page.get_by_role("button", name="Roll back", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("has moved on meanwhile")
    assert shop.http.get(f"/datasets/{ORDERS}/table").json()["rows"] == 35


def test_a_table_of_ten_thousand_files_shows_and_scrolls(admin: Visitor, shop: Workspace) -> None:
    page = admin.page
    admin.go(f"/w/north/tables/{LARGE}?tab=files", LARGE)
    files = page.get_by_role("table", name="Files")
    expect(rows_of(files).first).to_contain_text("parquet")
    expect(page.get_by_text("10,000 data files")).to_be_visible()
    expect(page.get_by_text("90 %")).to_be_visible()
    assert rows_of(files).count() < 100
    scroll_to(page, "Files", page.get_by_text("00000-00399.parquet"))
    files.get_by_role("button", name="Size").click()
    files.get_by_role("button", name="Size").click()
    page.wait_for_url("**order=-bytes")
    expect(rows_of(files).first).to_contain_text("300 MiB")
    page.get_by_role("switch", name="Only small files").click()
    expect(rows_of(files).first).not_to_contain_text("300 MiB")
    page.get_by_role("link", name="Partitions").click()
    expect(page.get_by_text("40 partitions by shop")).to_be_visible()
    page.get_by_role("textbox", name="Partition").fill("shop-07")
    page.get_by_role("link", name="shop=shop-07").click()
    expect(page.get_by_role("button", name="shop=shop-07 ✕")).to_be_visible()
    expect(rows_of(files).first).to_contain_text("shop=shop-07")
    page.get_by_role("link", name="Snapshots").click()
    expect(page.get_by_role("checkbox", name="Compare snapshot 1000", exact=True)).to_be_visible()
    expect(page.get_by_text("audited", exact=True)).to_be_visible()
    scroll_to(page, "Snapshots", page.get_by_role("checkbox", name="Compare snapshot 1", exact=True))


def test_lineage_leads_on_and_grants_are_given_and_taken(
    admin: Visitor, shop: Workspace, stack: LakehouseUnderTest
) -> None:
    page = admin.page
    store = f"sqlite:///{stack.home}/data/catalog/catalog.db"
    stack.cli("catalog", "principal", "create", "etl", "--store", store)
    admin.go(f"/w/north/tables/{ORDERS}?tab=grants", ORDERS)
    expect(page.get_by_text("one token for everything")).to_be_visible()
    page.get_by_role("combobox", name="Principal").click()
    page.get_by_role("option", name="etl").click()
    page.get_by_role("button", name="Grant", exact=True).click()
    expect(rows_of(page.get_by_role("table", name="Grants"))).to_contain_text(["etl"])
    page.get_by_role("button", name="Revoke read of etl").click()
    expect(page.get_by_text("Nothing was granted to anybody")).to_be_visible()
    page.get_by_role("link", name="Lineage").click()
    graph = page.get_by_role("group", name=f"Lineage of {ORDERS}")
    expect(graph.get_by_role("link", name="take-orders")).to_be_visible()
    graph.get_by_role("link", name="harbour_shop.by_region").click()
    admin.sees_title("harbour_shop.by_region")
    page.get_by_role("group", name="Lineage of harbour_shop.by_region").get_by_role("link", name="count-orders").click()
    admin.sees_title("count-orders")
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Go to").fill("visits")
    page.get_by_role("button", name=LARGE).click()
    admin.sees_title(LARGE)


def test_a_viewer_sees_what_a_table_is_like_and_is_told_what_they_lack(
    visit: Callable[..., Visitor], shop: Workspace
) -> None:
    base = str(shop.http.base_url).replace("/workspaces/north/", "")
    user = {"name": "vanessa", "password": "a lantern by the pier"}
    shop.http.post(f"{base}/users", json=user)
    shop.http.put("/members/vanessa", json={"role": "viewer"}).raise_for_status()
    vanessa = visit()
    vanessa.log_in(**user)
    page = vanessa.page
    vanessa.go("/w/north/tables", "Tables")
    expect(page.get_by_role("link", name=ORDERS)).to_be_visible()
    expect(page.get_by_role("button", name="Sync")).to_have_count(0)
    vanessa.go(f"/w/north/tables/{ORDERS}?tab=data", ORDERS)
    expect(page.get_by_text("Reading rows takes the role runner")).to_be_visible()
    expect(page.get_by_role("link", name="Query")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Edit"))).to_have_count(0)
    page.get_by_role("link", name="Snapshots").click()
    page.get_by_role("button", name=re.compile("^More about snapshot")).last.click()
    expect(page.get_by_role("menuitem", name="Its files")).to_be_visible()
    expect(page.get_by_role("menuitem", name=re.compile("Roll back|Its rows"))).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Grants").click()
    expect(page.get_by_text("one token for everything")).to_be_visible()
    expect(page.get_by_role("button", name="Grant", exact=True)).to_have_count(0)


def test_the_list_and_every_part_of_a_table_look_well(admin: Visitor, shop: Workspace) -> None:
    page = admin.page
    admin.go("/w/north/tables", "Tables")
    expect(page.get_by_role("link", name=ORDERS)).to_be_visible()
    admin.looks_well("tables")
    for tab in TABS:
        admin.go(f"/w/north/tables/{ORDERS}?tab={tab}", ORDERS)
        shown = page.get_by_role("table").or_(page.get_by_role("grid")).or_(page.get_by_text("Nothing was granted"))
        expect(shown.first).to_be_visible()
        admin.looks_well(f"table-{tab}")
    admin.go(f"/w/north/tables/{LARGE}?tab=snapshots&before=899&after=1000", LARGE)
    expect(page.get_by_text("10,000 files added")).to_be_visible()
    admin.looks_well("table-compared")
    admin.go(f"/w/north/tables/{LARGE}?tab=files", LARGE)
    expect(page.get_by_text("10,000 data files")).to_be_visible()
    admin.looks_well("table-large")


def test_an_empty_workspace_says_how_tables_come_into_it(admin: Visitor, shop: Workspace) -> None:
    base = str(shop.http.base_url).replace("/workspaces/north/", "")
    shop.http.post(f"{base}/workspaces", json={"name": "empty"}).raise_for_status()
    admin.go("/w/empty/tables", "Tables")
    expect(admin.page.get_by_text("There are no tables here yet")).to_be_visible()
    admin.looks_well("tables-empty")
    admin.page.goto("/w/empty/tables/no.table")
    expect(admin.page.get_by_role("alert")).to_contain_text("There is no dataset 'no.table'")

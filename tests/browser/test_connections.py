"""Connections in the browser: written, tested step by step, kept without anybody being shown a secret."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from boathouse.kit.access import ObjectStoreAccess
from tests.browser.conftest import Office
from tests.browser.visitor import Visitor
from tests.integration.catalog_process import free_port
from tests.lakehouse_under_test import LakehouseUnderTest

NEW_SECRET = "the oars are under the other boat"


def step(page: Page, label: str, name: str, outcome: str) -> None:
    found = page.get_by_role("list", name=label).get_by_role("listitem").filter(has_text=name)
    expect(found).to_contain_text(outcome)


def test_a_bucket_is_connected_tested_changed_and_its_secret_is_never_shown(
    clerk: Visitor, office: Office, stack: LakehouseUnderTest
) -> None:
    page, store = clerk.page, stack.access.object_store
    secret = store.secret_key.get_secret_value()
    answers: list[str] = []
    # Read on their way: once the page has gone elsewhere the browser no longer has them.
    page.route("**/api/**", lambda route: overhear(route, answers))
    writes_a_connection(clerk, store)
    changes_where_it_leads(clerk)
    assert len(answers) > 10
    page.unroute_all(behavior="wait")
    told = "".join(answers) + page.content()
    assert secret not in told
    assert NEW_SECRET not in told
    deletes_it(clerk)
    assert office.north.http.get("/connections/lake").status_code == 404


def overhear(route: Route, answers: list[str]) -> None:
    answer = route.fetch()
    answers.append(answer.text())
    route.fulfill(response=answer)


def writes_a_connection(clerk: Visitor, store: ObjectStoreAccess) -> None:
    page = clerk.page
    clerk.go("/w/north/connections", "Connections")
    expect(page.get_by_text("There are no connections yet")).to_be_visible()
    page.get_by_role("link", name="New connection").click()
    expect(page.get_by_role("link", name=re.compile("Postgres"))).to_be_visible()
    clerk.looks_well("connection-kinds")
    page.get_by_role("link", name=re.compile("S3 bucket")).click()
    page.get_by_label("Name").fill("Lake!")
    page.get_by_label("Endpoint").fill(f"http://127.0.0.1:{free_port()}")
    page.get_by_label("Bucket").fill(store.bucket)
    page.get_by_label("Prefix").fill("connection-tests")
    page.get_by_label("Access key").fill(store.access_key.get_secret_value())
    page.get_by_label("Secret key", exact=True).get_by_label("Secret key", exact=True).fill(
        store.secret_key.get_secret_value()
    )
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_text(re.compile("^Must be 2 to 60 lower-case letters"))).to_be_visible()
    page.get_by_label("Name").fill("lake")
    page.get_by_role("button", name="Test").click()
    written = "Test of what is written here"
    step(page, written, "Find the host", "ok")
    step(page, written, "Reach it", "failed")
    step(page, written, "Reach it", "Check the port")
    step(page, written, "List the bucket", "skipped")
    clerk.looks_well("connection-editor")

    page.get_by_label("Endpoint").fill(store.endpoint)
    page.get_by_role("button", name="Test").click()
    step(page, written, "Write to it", "ok")
    page.get_by_role("button", name="Create the connection").click()
    clerk.sees_title("lake")
    expect(page.get_by_text("set, sealed")).to_be_visible()
    page.get_by_role("button", name="Test", exact=True).click()
    step(page, "Last test", "Write to it", "ok")
    clerk.looks_well("connection")


def changes_where_it_leads(clerk: Visitor) -> None:
    page = clerk.page
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Endpoint").fill("http://127.0.0.1:1")
    expect(page.get_by_text("Endpoint changes, so it must be given again")).to_be_visible()
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_role("alert")).to_contain_text("would be sent elsewhere")
    page.get_by_role("button", name="Replace Secret key").click()
    page.get_by_label("Secret key", exact=True).get_by_label("Secret key", exact=True).fill(NEW_SECRET)
    page.get_by_role("button", name="Save").click()
    clerk.sees_title("lake")
    expect(page.get_by_text("Not tested since it was made or changed")).to_be_visible()


def deletes_it(clerk: Visitor) -> None:
    page = clerk.page
    clerk.go("/w/north/connections", "Connections")
    expect(page.get_by_role("row").filter(has_text="lake")).to_contain_text("not tested")
    page.get_by_role("link", name="lake").click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete the connection").click()
    page.get_by_role("button", name="Delete it").click()
    clerk.sees_title("Connections")


def test_the_lakes_own_catalog_is_tested_and_found_by_name_and_viewers_see_but_change_nothing(
    clerk: Visitor, office: Office, stack: LakehouseUnderTest, visit: Callable[..., Visitor]
) -> None:
    page, catalog = clerk.page, stack.access.catalog
    config = {"uri": catalog.uri, "warehouse": catalog.warehouse}
    office.north.connection("catalog", "iceberg-rest", config, {"token": catalog.token.get_secret_value()})
    variable = {"env": "BOATHOUSE_SECRET_NORTH__NOWHERE"}
    meters = {"host": "127.0.0.1", "database": "meters", "user": "reader"}
    given = {"name": "meters", "kind": "postgres", "config": meters, "secrets": {"password": variable}}
    office.north.http.post("/connections", json=given).raise_for_status()

    clerk.go("/w/north", "north")
    page.keyboard.press("Control+k")
    page.get_by_role("textbox", name="Go to").fill("catalog")
    page.get_by_role("button", name=re.compile("^catalog")).first.click()
    clerk.sees_title("catalog")
    page.get_by_role("button", name="Test", exact=True).click()
    step(page, "Last test", "List namespaces", "ok")
    expect(page.get_by_text("No job names it")).to_be_visible()
    clerk.go("/w/north/connections/meters", "meters")
    expect(page.get_by_text("from the variable BOATHOUSE_SECRET_NORTH__NOWHERE")).to_be_visible()
    page.get_by_role("button", name="Test", exact=True).click()
    step(page, "Last test", "Read the secrets", "is not set")
    clerk.go("/w/north/connections?kind=postgres", "Connections")
    expect(page.get_by_role("link", name="meters")).to_be_visible()
    expect(page.get_by_role("link", name="catalog", exact=True)).to_have_count(0)
    clerk.go("/w/north/connections", "Connections")
    expect(page.get_by_role("row").filter(has_text="catalog")).to_contain_text("ok")
    clerk.looks_well("connections")

    viewer = visit(at=office.control)
    viewer.log_in(**office.user("vincent", "viewer"))
    viewer.go("/w/north/connections/catalog", "catalog")
    step(viewer.page, "Last test", "List namespaces", "ok")
    offered = viewer.page.get_by_role("button", name=re.compile("^(Test|More)$"))
    expect(offered.or_(viewer.page.get_by_role("link", name="Edit"))).to_have_count(0)
    viewer.go("/w/north/new-connection", "New connection")
    expect(viewer.page.get_by_text("This page takes the role editor in north")).to_be_visible()
    viewer.looks_well("role-missing")

"""From nothing to a result, by the browser alone: a connection, a job, its run, what it says, and the run once more."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_jobs import write
from tests.browser.visitor import ROOT, Visitor
from tests.lakehouse_under_test import LakehouseUnderTest

JOB = """\
job: first-look
kind: sql
parameters:
  - {name: most, type: integer, default: 3}
spec:
  sql: SELECT id AS number, id * id AS square FROM range(10) WHERE id < :most ORDER BY id
"""


@pytest.mark.skipif(
    not (ROOT / "ui" / "src" / "pages" / "connections").is_dir(), reason="There are no pages of connections yet."
)
def test_a_connection_a_job_its_run_its_log_and_the_run_once_more(admin: Visitor, stack: LakehouseUnderTest) -> None:
    connects(admin, stack)
    page = admin.page
    admin.go("/w/north/jobs", "Jobs")
    page.get_by_role("link", name="New job").click()
    page.get_by_role("link", name="YAML").click()
    write(page, "The job as a file", JOB)
    page.get_by_role("button", name="Create the job").click()
    admin.sees_title("first-look")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_label("most").fill("4")
    page.get_by_role("button", name="Start the run").click()
    first = succeeded(page)
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("Statement 1 of 1: SELECT id AS number")
    expect(page.get_by_role("log")).to_contain_text("4 rows kept")
    page.get_by_role("button", name="Run again").click()
    page.wait_for_url(lambda url: first not in url)
    succeeded(page)
    admin.go("/w/north/runs?job=first-look", "Runs")
    expect(page.get_by_role("table", name="Runs").get_by_role("link", name="first-look")).to_have_count(2)


def connects(admin: Visitor, stack: LakehouseUnderTest) -> None:
    """The lakehouse's own bucket, tested before it is kept."""
    page, store = admin.page, stack.access.object_store
    admin.go("/w/north/connections", "Connections")
    page.get_by_role("link", name="New connection").first.click()
    page.get_by_role("link", name=re.compile("S3 bucket")).click()
    page.get_by_label("Name").fill("story")
    page.get_by_label("Endpoint").fill(store.endpoint)
    page.get_by_label("Bucket").fill(store.bucket)
    page.get_by_label("Access key").fill(store.access_key.get_secret_value())
    secret = page.get_by_label("Secret key", exact=True).get_by_label("Secret key", exact=True)
    secret.fill(store.secret_key.get_secret_value())
    page.get_by_role("button", name="Test").click()
    tested = page.get_by_role("list", name="Test of what is written here")
    expect(tested.get_by_role("listitem").filter(has_text="List the bucket")).to_contain_text("ok")
    page.get_by_role("button", name="Create the connection").click()
    admin.sees_title("story")


def succeeded(page: Page) -> str:
    """The run's address, once it is over."""
    page.wait_for_url(re.compile("/runs/[0-9a-f-]+"))
    expect(page.get_by_role("main").get_by_text("succeeded", exact=True).first).to_be_visible()
    return page.url.rpartition("/runs/")[2].partition("?")[0]

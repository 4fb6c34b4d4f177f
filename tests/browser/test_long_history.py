"""The runs page on a hundred thousand runs: it scrolls far, filters, opens one, and never draws more than fits."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visitor import PATIENCE, Visitor
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace
from tests.long_history import lengthen

RUNS = 100_000
JOBS = 40
FAR = 2_000
# As many as a window shows, and some beyond its edges.
MOST_DRAWN = 80


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    """With no worker: nothing changes while one looks."""
    with ControlProcess(tmp_path_factory.mktemp("long-history")) as control:
        workspace = Workspace(control)
        for number in range(JOBS):
            workspace.job(f"job-{number:02}", kind="sql", spec={"sql": "SELECT 1"})
        workspace.submit("job-00")
        # Those that failed have logs.
        lengthen(control.database, RUNS, log_every=50)
        workspace.http.close()
        yield control


@pytest.fixture
def page(browser: Browser, control: ControlProcess) -> Generator[Page]:
    visitor = Visitor.of(browser, control)
    visitor.log_in()
    yield visitor.page
    visitor.page.context.close()
    assert not visitor.complaints


def test_one_scrolls_far_filters_and_opens_a_run(page: Page) -> None:
    page.goto("/w/north/runs")
    table = page.get_by_role("table", name="Runs")
    rows = table.get_by_role("rowgroup").last
    expect(page.get_by_role("link", name="job-39").first).to_be_visible()
    page.wait_for_function(
        """([table, far]) => {
          const rows = table.querySelector('[role=rowgroup]:last-child');
          rows.scrollTo(0, rows.scrollHeight);
          return Number(table.getAttribute('aria-rowcount')) > far;
        }""",
        arg=[table.element_handle(), FAR],
        polling=50,
        timeout=PATIENCE,
    )
    assert rows.get_by_role("row").count() < MOST_DRAWN
    # One in fifty failed: far more than a page of them, and only they are left.
    page.goto("/w/north/runs?state=failed&job=job-00")
    expect(table.get_by_text("Table not found").first).to_be_visible()
    expect(table.get_by_text("succeeded")).to_have_count(0)
    table.get_by_role("link", name="job-00").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Table not found: lake.sales.orders")
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("line 19")


def test_the_matrix_shows_the_last_runs_of_each_job_and_the_keyboard_walks_through_them(page: Page) -> None:
    page.goto("/w/north/runs")
    page.get_by_text("Matrix", exact=True).click()
    page.wait_for_url("**/runs?as=matrix")
    strip = page.get_by_role("group", name="Last runs of job-01")
    expect(strip.get_by_role("link")).to_have_count(30)
    newest = strip.get_by_role("link").last
    newest.focus()
    expect(page.get_by_text("succeeded, ").last).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("group", name="Last runs of job-00").get_by_role("link").last).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/runs/" in url)
    expect(page.get_by_role("heading", level=1, name="job-00")).to_be_visible()

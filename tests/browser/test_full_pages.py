"""Pages whose list takes the rest of the window: nothing else on them may lose its room to it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Office
from tests.browser.visitor import LIST_AT_LEAST, TABS_AT_LEAST, Visitor, height

WINDOWS = [(1280, 800), (400, 800), (1280, 420)]


@pytest.fixture(scope="module")
def busy(office: Office) -> Office:
    """A job with much to say, and more runs than a window shows; nobody carries them out."""
    office.north.job("many-runs", kind="sql", spec={"sql": "SELECT 1"}, description="words and words " * 60)
    for _ in range(40):
        office.north.submit("many-runs")
    return office


@pytest.mark.parametrize(("across", "down"), WINDOWS)
def test_the_runs_of_a_job_with_a_long_description(clerk: Visitor, busy: Office, across: int, down: int) -> None:
    page = clerk.page
    page.set_viewport_size({"width": across, "height": down})
    clerk.go("/w/north/jobs/many-runs?tab=runs", "many-runs")
    expect(page.get_by_role("link", name="many-runs", exact=True).nth(2)).to_be_visible()
    assert height(page.get_by_role("navigation", name="Parts of the job")) >= TABS_AT_LEAST
    assert height(page.get_by_role("table", name="Runs of many-runs")) >= LIST_AT_LEAST
    assert not clerk.squeezed()


@pytest.mark.parametrize(("across", "down"), WINDOWS)
@pytest.mark.parametrize(
    ("path", "title", "table"), [("w/north/audit", "Audit", "Audit"), ("w/north/runs", "Runs", "Runs")]
)
def test_lists_with_many_filters(
    clerk: Visitor, busy: Office, path: str, title: str, table: str, across: int, down: int
) -> None:
    page = clerk.page
    page.set_viewport_size({"width": across, "height": down})
    clerk.go(f"/{path}", title)
    expect(page.get_by_role("table", name=table).get_by_role("row").nth(3)).to_be_visible()
    assert height(page.get_by_role("table", name=table)) >= LIST_AT_LEAST
    assert not clerk.squeezed()


def test_a_run_that_waits_says_why(clerk: Visitor, busy: Office) -> None:
    run = busy.north.submit("many-runs")
    clerk.go(f"/w/north/runs/{run}", "many-runs")
    expect(
        clerk.page.get_by_role("status").filter(has_text="No worker is running: boathouse up starts one")
    ).to_be_visible()
    expect(clerk.page.get_by_text("waiting for")).to_be_visible()
    clerk.looks_well("run-waits")

"""What one can do with streaming pipelines in the browser: see each hop live, start, stop and restart, and mend what was rejected.

A program that needs no Postgres, Kafka and ClickHouse stands in for ours, and a catalog alone for the lakehouse.
"""

import json
import os
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

import pytest
import yaml
from playwright.sync_api import Locator, Page, expect

from boathouse.pipelines.stream.status import TITLES
from tests.behaviour.control.lake import Lake
from tests.browser.visitor import Visitor
from tests.fake_stream.program import HERE
from tests.integration.catalog_process import CatalogProcess
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace, workers

PIPELINE: dict[str, Any] = {
    "pipeline": "meters",
    "source": {"kind": "postgres", "tables": ["public.meters", "public.readings"]},
    "bronze": {"table": "meters_log.changes"},
    "silver": {"namespace": "meters"},
    "speed": {"database": "meters"},
    "aims": {"events_per_second": 2000, "freshness": 2.0, "lag": 10_000},
}
REJECT = ("batch-17", "kafka://meters.public.readings/0", 4711, "watts is not int: many", '{"id": 7, "watts": "many"}')
AVRO = ("batch-3", "kafka://clicks/0", 5, "is no record of the schema", "\x02\x04")
TOMBSTONE = ("batch-3", "kafka://clicks/0", 6, "has no value", None)
# Until one that tells nothing is called silent, and a look at it later.
SILENCE = 45_000
NOTHING = "\u2013"
THERE = "/w/north/pipelines/meters"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Generator[Lake]:
    """With what streams rejected."""
    with (
        CatalogProcess(tmp_path_factory.mktemp("catalog")) as catalog,
        closing(Lake(tmp_path_factory.mktemp("station") / "home", catalog)) as lake,
    ):
        lake.table("meters_log.changes")
        lake.write("meters_log.changes", 3)
        lake.rejects("meters_log.changes", [REJECT])
        lake.table("clicks_log.events")
        lake.rejects("clicks_log.events", [AVRO, TOMBSTONE])
        yield lake


@pytest.fixture(scope="module")
def station(lake: Lake) -> Generator[tuple[ControlProcess, Workspace]]:
    """A control plane with a worker that follows whatever it is told to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
        with ControlProcess(lake.home.parent, None, "--lake", str(lake.home)) as control:
            workspace = Workspace(control)
            with workers(control, lake.home) as start:
                start("worker-1")
                yield control, workspace
            workspace.http.close()


def follow(workspace: Workspace, name: str, *, retries: dict[str, int] | None = None, **wishes: Any) -> None:
    pipeline = {**PIPELINE, "description": json.dumps(wishes)}
    about = "What the meters tell, in the lake and within seconds in ClickHouse."
    workspace.job(name, kind="stream", spec={"pipeline": pipeline}, description=about, retries=retries)


@pytest.fixture
def keeper(visit: Callable[..., Visitor], station: tuple[ControlProcess, Workspace]) -> Visitor:
    visitor = visit(at=station[0])
    visitor.log_in()
    return visitor


def hop(page: Page, title: str) -> Locator:
    return page.get_by_role("article", name=title)


def rate(row: Locator) -> Locator:
    return row.get_by_role("cell").nth(4)


def badge(page: Page) -> Locator:
    return page.locator("header", has=page.get_by_role("heading", level=1)).locator("[data-state]")


def test_a_stream_is_started_watched_restarted_and_stopped(
    keeper: Visitor, station: tuple[ControlProcess, Workspace]
) -> None:
    follow(station[1], "meters", alert=[12, 100_000], lag=25_000, rejected=3, last_batch=3)
    page = keeper.page
    keeper.go(THERE, "meters")
    expect(page.get_by_text("It was never started")).to_be_visible()
    page.get_by_role("button", name="Start").click()

    # Each hop, live, with what it should reach.
    expect(hop(page, "Postgres to Kafka")).to_contain_text("of 2,000")
    for title in TITLES.values():
        expect(hop(page, title)).to_contain_text("running")
    expect(hop(page, "Kafka to the log").get_by_text("meters_log.changes")).to_be_visible()
    before = hop(page, "Postgres to Kafka").locator("dd").first.inner_text()
    expect(hop(page, "Postgres to Kafka").locator("dd").first).not_to_have_text(before)
    expect(hop(page, "Kafka to the log").get_by_role("img", name="events a second")).to_be_visible()

    # What falls short is said in words.
    expect(page.get_by_role("status", name="Alerts")).to_contain_text("25,000 events behind; the aim is 10,000")
    expect(hop(page, "Kafka to ClickHouse").locator("dd[data-bad]")).to_contain_text("25,000")
    page.wait_for_timeout(15_000)
    keeper.looks_well("stream-live")
    first = page.get_by_role("link", name="Its log").get_attribute("href")

    page.get_by_role("button", name="Restart").click()
    expect(page.get_by_role("button", name="Stopping")).to_be_disabled()
    expect(page.get_by_role("link", name="Its log")).not_to_have_attribute("href", first or "")
    expect(hop(page, "Kafka to the log")).to_contain_text("running")

    keeper.go("/w/north/pipelines", "Pipelines")
    row = page.get_by_role("table", name="Streaming pipelines").get_by_role("row").filter(has_text="meters")
    expect(row).to_contain_text("running")
    expect(row).to_contain_text("2,000")
    expect(row.get_by_role("img", name="25,000 events behind")).to_be_visible()
    keeper.looks_well("streams")

    keeper.go(THERE, "meters")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Stop it").click()
    expect(badge(page).first).to_have_text("cancelled")
    expect(hop(page, "Kafka to the log")).to_contain_text("stopped")
    expect(page.get_by_role("status", name="Alerts")).to_be_empty()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    keeper.looks_well("stream-stopped")


def test_what_a_stream_rejected_is_seen_mended_and_replayed_while_it_goes_on(
    keeper: Visitor, station: tuple[ControlProcess, Workspace]
) -> None:
    workspace = station[1]
    follow(workspace, "meters-again")
    run = workspace.submit("meters-again")
    workspace.wait_until(run, lambda told: told["progress"] is not None)
    page = keeper.page
    keeper.go("/w/north/pipelines/meters-again", "meters-again")
    page.get_by_role("link", name="1 reject waits").click()
    expect(page.get_by_placeholder("Any topic")).to_be_visible()
    own = page.get_by_role("table", name="Rejects of meters-again").get_by_text("readings/0", exact=True)
    assert own.evaluate("shown => shown.scrollWidth <= shown.clientWidth"), "what tells topics apart is cut off"
    page.get_by_role("link", name="0:4711").click()
    expect(page.get_by_role("note", name="Reason")).to_have_text("watts is not int: many")
    page.get_by_label("As it should be").fill('{"id": 7, "watts": 12}')
    keeper.looks_well("stream-reject")
    page.get_by_role("button", name="Save and replay").click()
    expect(page.get_by_role("status", name="Replay")).to_contain_text("1 row replayed: 1 written.")
    assert workspace.run(run)["state"] == "running"
    # Whoever stops what the status names stops the stream, though the newest run is the replay.
    assert workspace.http.get("/pipelines/meters-again").json()["stream"]["run_id"] == run
    workspace.http.post(f"/runs/{run}/stop").raise_for_status()
    workspace.ended(run)


def test_one_that_waits_for_its_next_try_is_not_shown_at_work(
    keeper: Visitor, station: tuple[ControlProcess, Workspace]
) -> None:
    workspace, page = station[1], keeper.page
    follow(workspace, "meters-fails", fails="Kafka is away", retries={"count": 1, "delay_seconds": 600})
    run = workspace.submit("meters-fails")
    workspace.wait_until(run, lambda told: told["state"] == "pending" and told["attempt"] == 1)
    keeper.go("/w/north/pipelines/meters-fails", "meters-fails")
    expect(badge(page).first).to_have_text("pending")
    expect(page.get_by_text("waits for its next try; its last figures came")).to_be_visible()
    expect(hop(page, "Postgres to Kafka")).to_contain_text("waiting")
    expect(hop(page, "Postgres to Kafka").locator("strong")).to_have_text(NOTHING)
    keeper.looks_well("stream-waiting")
    keeper.go("/w/north/pipelines?tab=streams", "Pipelines")
    row = page.get_by_role("table", name="Streaming pipelines").get_by_role("row").filter(has_text="meters-fails")
    expect(row).to_contain_text("pending")
    expect(rate(row)).to_have_text(NOTHING)
    workspace.http.post(f"/runs/{run}/stop").raise_for_status()


def test_one_that_tells_nothing_any_more_is_not_shown_to_be_well(
    keeper: Visitor, station: tuple[ControlProcess, Workspace]
) -> None:
    workspace, page = station[1], keeper.page
    follow(workspace, "meters-hangs", every=300)
    run = workspace.submit("meters-hangs")
    workspace.wait_until(run, lambda told: told["progress"] and told["progress"]["stream"]["state"] == "running")
    keeper.go("/w/north/pipelines?tab=streams", "Pipelines")
    row = page.get_by_role("table", name="Streaming pipelines").get_by_role("row").filter(has_text="meters-hangs")
    expect(rate(row)).not_to_have_text(NOTHING)
    expect(row.get_by_role("img", name="It has told nothing for")).to_be_visible(timeout=SILENCE)
    expect(rate(row)).to_have_text(NOTHING)
    keeper.looks_well("streams-silent")
    keeper.go("/w/north/pipelines/meters-hangs", "meters-hangs")
    expect(page.get_by_role("status").filter(has_text="It has told nothing for")).to_be_visible()
    for title in TITLES.values():
        expect(hop(page, title)).to_contain_text("silent")
    keeper.looks_well("stream-silent")
    workspace.http.post(f"/runs/{run}/stop").raise_for_status()


def test_what_is_no_text_is_mended_by_its_bytes(
    keeper: Visitor, station: tuple[ControlProcess, Workspace], lake: Lake
) -> None:
    workspace, page = station[1], keeper.page
    source = {"kind": "kafka", "topics": ["clicks"], "format": "avro", "avro_schema": {"type": "record", "fields": []}}
    pipeline = {"pipeline": "clicks", "source": source, "bronze": {"table": "clicks_log.events"}}
    workspace.job("clicks", kind="stream", spec={"pipeline": pipeline})
    keeper.go("/w/north/pipelines/clicks?tab=rejects", "clicks")
    page.get_by_role("link", name="0:5").click()
    mended = page.get_by_label("in base64")
    expect(mended).to_have_value("AgQ=")
    expect(page.get_by_text("A replay takes them as they stood")).to_be_visible()
    mended.fill("no base64!")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("this is not base64")).to_be_visible()
    mended.fill("AgY=")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Changed")).to_be_visible()
    keeper.looks_well("stream-reject-bytes")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="0:6").click()
    expect(page.get_by_text("a tombstone")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("button", name="Replay")).to_be_enabled()
    page.get_by_role("button", name="Close").click()

    # What comes while one is asked is not given up with what was counted.
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("dialog")).to_contain_text("Discard: All 2 rows?")
    lake.rejects("clicks_log.events", [(*AVRO[:2], 7, *AVRO[3:])])
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    expect(page.get_by_text("open 1")).to_be_visible()


def test_who_deletes_the_job_is_given_what_ends_the_rest(
    keeper: Visitor, station: tuple[ControlProcess, Workspace]
) -> None:
    follow(station[1], "meters-told")
    page = keeper.page
    keeper.go("/w/north/jobs/meters-told", "meters-told")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete the job").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("Postgres keeps its log for a slot that nobody reads")
    expect(asked.get_by_text("boathouse pipeline remove meters.yaml")).to_be_visible()
    with page.expect_download() as saved:
        asked.get_by_role("button", name="Save meters.yaml").click()
    assert yaml.safe_load(saved.value.path().read_text())["source"] == PIPELINE["source"]
    keeper.looks_well("stream-delete")
    asked.get_by_role("button", name="Keep it as it is").click()


@pytest.mark.parametrize("tab", ["runs", "spec"])
def test_the_other_parts_of_a_stream(keeper: Visitor, station: tuple[ControlProcess, Workspace], tab: str) -> None:
    follow(station[1], "meters-told")
    keeper.go(f"/w/north/pipelines/meters-told?tab={tab}", "meters-told")
    seen = {"runs": "It has not run yet", "spec": "meters_log.changes"}
    expect(keeper.page.get_by_text(seen[tab]).first).to_be_visible()
    keeper.looks_well(f"stream-{tab}")


def test_a_new_one_begins_with_an_example(keeper: Visitor, station: tuple[ControlProcess, Workspace]) -> None:
    follow(station[1], "meters-told")
    page = keeper.page
    keeper.go("/w/north/pipelines?tab=streams", "Pipelines")
    page.get_by_role("link", name="New pipeline").click()
    keeper.sees_title("New pipeline")
    expect(page.get_by_text("kind: postgres")).to_be_visible()
    page.get_by_label("Name").fill("meters-new")
    page.get_by_role("button", name="Create the job").click()
    keeper.sees_title("meters-new")
    keeper.looks_well("stream-job")

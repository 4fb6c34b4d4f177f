"""What one can do with runs in the browser."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.integration.worker_process import Workspace


def test_filters_are_in_the_address_and_an_address_filters(admin: Visitor) -> None:
    page = admin.page
    admin.go("/w/north/runs", "Runs")
    expect(page.get_by_role("link", name="daily-orders").first).to_be_visible()
    page.get_by_role("combobox", name="Job").fill("broken-load")
    page.wait_for_url("**/runs?job=broken-load")
    expect(page.get_by_role("link", name="daily-orders")).to_have_count(0)
    expect(page.get_by_role("link", name="broken-load").first).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("link", name="daily-orders").first).to_be_visible()
    admin.go("/w/north/runs?state=cancelled&by=nobody", "Runs")
    expect(page.get_by_text("No run is like this")).to_be_visible()


def test_a_run_is_seen_live_from_its_start_to_its_end_and_can_be_stopped(admin: Visitor, workspace: Workspace) -> None:
    admin.go("/w/north/runs?state=running", "Runs")
    run = workspace.submit("daily-orders", values={"seconds": 600})
    admin.page.get_by_role("link", name="daily-orders").first.click()
    admin.sees_title("daily-orders")
    assert run in admin.page.url
    admin.page.get_by_role("link", name="Log").click()
    expect(admin.page.get_by_role("log")).to_contain_text("row group 39 of 40 written")
    admin.page.get_by_role("button", name="Stop").click()
    admin.page.get_by_role("button", name="Stop it").click()
    expect(admin.page.get_by_text("cancelled", exact=True)).to_be_visible()
    expect(admin.page.get_by_role("alert")).to_contain_text("Stopped by admin.")


def test_the_error_comes_first_and_a_retry_stands_beside_it(admin: Visitor, workspace: Workspace) -> None:
    run = workspace.submit("broken-load")
    workspace.ended(run)
    admin.go(f"/w/north/runs/{run}", "broken-load")
    expect(admin.page.get_by_role("alert")).to_contain_text("exit code")
    expect(admin.page.get_by_role("columnheader", name="Attempt 2")).to_be_visible()
    admin.page.get_by_role("button", name="Retry").click()
    expect(admin.page.get_by_role("columnheader", name="Attempt 3")).to_be_visible()


def test_tasks_of_a_flow_lead_to_their_runs_and_back(admin: Visitor, workspace: Workspace) -> None:
    run = workspace.http.get("/runs", params={"job": "nightly"}).json()["items"][0]["id"]
    admin.go(f"/w/north/runs/{run}", "nightly")
    timeline = admin.page.get_by_role("list", name="Timeline")
    expect(timeline).to_contain_text("after check, load")
    timeline.get_by_role("link", name="load").click()
    admin.sees_title("nightly · load")
    expect(admin.page.get_by_role("alert")).to_contain_text("column 'amount' is not in the file")
    admin.page.get_by_role("link", name="this run of its flow").click()
    admin.sees_title("nightly")
    # A flow prints nothing; the logs of its tasks are where its own would be.
    admin.page.get_by_role("link", name="Log", exact=True).click()
    admin.page.get_by_role("table", name="Logs of its tasks").get_by_role("link", name="check").click()
    admin.sees_title("nightly · check")
    expect(admin.page.get_by_role("log")).to_contain_text("Done")


def test_a_run_is_started_again_with_the_same_values(admin: Visitor, workspace: Workspace) -> None:
    run = workspace.submit("daily-orders", values={"source": "s3://lake/other"})
    workspace.ended(run)
    admin.go(f"/w/north/runs/{run}", "daily-orders")
    admin.page.get_by_role("button", name="Run again").click()
    admin.page.wait_for_url(lambda url: run not in url)
    expect(admin.page.get_by_text("s3://lake/other")).to_be_visible()


def test_the_log_is_searched_and_a_link_leads_to_a_line(admin: Visitor, workspace: Workspace) -> None:
    run = workspace.submit("daily-orders", values={"groups": 3000})
    workspace.ended(run)
    page = admin.page
    admin.go(f"/w/north/runs/{run}?tab=log", "daily-orders")
    page.get_by_role("textbox", name="Search the log").fill("group 29")
    expect(page.get_by_role("status").filter(has_text="1 of 111")).to_be_visible()
    page.get_by_role("button", name="The one before").click()
    expect(page.get_by_text("row group 2999 of 3000 written")).to_be_in_viewport()
    page.get_by_role("link", name="Line 3002: link to it").click()
    page.wait_for_url("**tab=log#L3002")
    page.reload()
    expect(page.get_by_text("row group 2999 of 3000 written")).to_be_in_viewport()


def test_spark_stages_stand_under_the_attempt_and_under_the_task_of_a_flow(
    admin: Visitor, workspace: Workspace
) -> None:
    slow = "SELECT count(DISTINCT id % 1000) AS n, max(sha2(string(id), 256)) AS digest FROM range(0, 6000000, 1, 4)"
    workspace.job("heavy", kind="sql", spec={"sql": slow})
    workspace.job("heavy-flow", kind="flow", spec={"tasks": [{"name": "count", "job": "heavy"}]})
    flow = workspace.submit("heavy-flow")
    workspace.ended(flow)
    admin.go(f"/w/north/runs/{flow}", "heavy-flow")
    stages = admin.page.get_by_role("list", name="Spark's stages of count")
    expect(stages.get_by_role("listitem").first).to_contain_text(re.compile(r"Stage \d+.*\d+ of \d+ tasks"))
    admin.page.get_by_role("list", name="Timeline").get_by_role("link", name="count").click()
    stages = admin.page.get_by_role("list", name="Spark's stages of Attempt 1")
    told = re.compile(r"Stage \d+.*\d+ of \d+ tasks, shuffle .*\d+ KiB out")
    expect(stages.get_by_role("listitem").first).to_contain_text(told)
    expect(admin.page.get_by_role("row", name="Spark")).to_contain_text(re.compile(r"\d jobs, .*shuffle .* in, .* out"))


def test_a_viewer_sees_all_of_it_and_is_offered_nothing_to_change(
    visit: Callable[..., Visitor], admin: Visitor, workspace: Workspace
) -> None:
    base = str(workspace.http.base_url).replace("/workspaces/north/", "")
    user = {"name": "vera", "password": "a lantern by the pier"}
    workspace.http.post(f"{base}/users", json=user)
    workspace.http.put("/members/vera", json={"role": "viewer"}).raise_for_status()
    run = workspace.http.get("/runs", params={"job": "broken-load"}).json()["items"][-1]["id"]
    vera = visit()
    vera.log_in(**user)
    vera.go(f"/w/north/runs/{run}", "broken-load")
    expect(vera.page.get_by_role("button", name="Copy as")).to_be_visible()
    expect(vera.page.get_by_role("button", name=re.compile("Retry|Run again|Stop"))).to_have_count(0)


def test_the_rows_of_a_result_are_loaded_as_one_scrolls(admin: Visitor, workspace: Workspace) -> None:
    run = workspace.http.get("/runs", params={"job": "squares"}).json()["items"][0]["id"]
    admin.go(f"/w/north/runs/{run}", "squares")
    admin.page.get_by_role("link", name=re.compile("^Result")).click()
    expect(admin.page.get_by_text("1,000 rows", exact=True)).to_be_visible()
    admin.page.get_by_role("grid", name="Result").focus()
    admin.page.keyboard.press("ArrowDown")
    admin.page.keyboard.press("Control+End")
    expect(admin.page.get_by_role("gridcell", name="number 999", exact=True)).to_be_visible()

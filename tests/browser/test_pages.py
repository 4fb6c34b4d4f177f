"""Every page looks well: at both widths, in both themes, without a violation of WCAG that axe can find."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tests.integration.worker_process import Workspace


def newest(workspace: Workspace, job: str) -> str:
    found: Any = workspace.http.get("/runs", params={"job": job}).raise_for_status().json()
    return found["items"][0]["id"]


def test_the_login(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.go("/login", "Boathouse")
    expect(visitor.page.get_by_label("Name")).to_be_visible()
    visitor.looks_well("login")


def test_the_home_page(admin: Visitor) -> None:
    admin.go("/w/north", "north")
    services = admin.page.get_by_role("list", name="Services")
    expect(services.get_by_text("1, 0 of")).to_be_visible()
    for service in ("Control plane", "Catalog", "Object store", "Spark"):
        expect(services.get_by_role("listitem").filter(has_text=service).first.get_by_label("well")).to_be_visible()
    expect(admin.page.get_by_role("link", name="broken-load").first).to_be_visible()
    admin.looks_well("home")


def test_the_list_of_runs(admin: Visitor) -> None:
    admin.go("/w/north/runs", "Runs")
    expect(admin.page.get_by_role("link", name="daily-orders").first).to_be_visible()
    admin.looks_well("runs")


def test_the_matrix_of_runs(admin: Visitor) -> None:
    admin.go("/w/north/runs?as=matrix", "Runs")
    expect(admin.page.get_by_role("group", name="Last runs of nightly").get_by_role("link").last).to_be_visible()
    admin.looks_well("runs-matrix")


@pytest.mark.parametrize("job", ["daily-orders", "broken-load", "nightly"])
def test_a_run(admin: Visitor, workspace: Workspace, job: str) -> None:
    admin.go(f"/w/north/runs/{newest(workspace, job)}", job)
    expect(admin.page.get_by_role("heading", name="Timeline")).to_be_visible()
    admin.looks_well(f"run-{job}")


def test_a_log(admin: Visitor, workspace: Workspace) -> None:
    admin.go(f"/w/north/runs/{newest(workspace, 'daily-orders')}?tab=log", "daily-orders")
    expect(admin.page.get_by_role("log")).to_contain_text("row group 1 of")
    admin.looks_well("log")


def test_the_list_of_jobs(admin: Visitor) -> None:
    admin.go("/w/north/jobs", "Jobs")
    expect(admin.page.get_by_role("link", name="top-customers")).to_be_visible()
    admin.looks_well("jobs")


@pytest.mark.parametrize("tab", ["overview", "runs", "definition", "versions"])
def test_a_job(admin: Visitor, tab: str) -> None:
    admin.go(f"/w/north/jobs/top-customers?tab={tab}", "top-customers")
    admin.looks_well(f"job-{tab}")


@pytest.mark.parametrize("tab", ["form", "yaml"])
def test_the_editor_of_jobs(admin: Visitor, tab: str) -> None:
    admin.go(f"/w/north/jobs/top-customers/edit?tab={tab}", "Edit top-customers")
    admin.looks_well(f"job-editor-{tab}")


def test_the_dialog_that_starts_a_run(admin: Visitor) -> None:
    admin.go("/w/north/jobs/daily-orders", "daily-orders")
    admin.page.get_by_role("button", name="Run", exact=True).click()
    expect(admin.page.get_by_role("button", name="Start the run")).to_be_visible()
    admin.looks_well("job-run-dialog")


def test_the_command_palette(admin: Visitor) -> None:
    admin.go("/w/north", "north")
    admin.page.keyboard.press("Control+k")
    expect(admin.page.get_by_role("button", name="top-customers")).to_be_visible()
    admin.looks_well("palette")


def test_a_result(admin: Visitor, workspace: Workspace) -> None:
    admin.go(f"/w/north/runs/{newest(workspace, 'squares')}?tab=result", "squares")
    expect(admin.page.get_by_text("number 7", exact=True)).to_be_visible()
    admin.looks_well("result")


def test_an_address_that_is_nothing(admin: Visitor) -> None:
    admin.go("/w/north/nothing-like-this", "There is nothing at this address")
    admin.looks_well("not-found")

"""Around every page: logging in, being logged out, finding one's way, and a control plane that is away."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.visitor import Visitor
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import Workspace


def test_a_wrong_password_is_told_and_the_right_one_leads_where_one_wanted(
    visit: Callable[..., Visitor], workspace: Workspace
) -> None:
    visitor = visit()
    page = visitor.page
    page.goto("/w/north/runs?state=failed")
    page.locator("input[name=name]").fill("admin")
    page.locator("input[name=password]").fill("nonsense")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("The name or the password is wrong.")
    page.locator("input[name=password]").fill(visitor.control.password)
    page.get_by_role("button", name="Log in").click()
    visitor.sees_title("Runs")
    assert page.url.endswith("/w/north/runs?state=failed")


def test_who_has_to_change_a_given_password_comes_where_they_wanted_after_it(
    visit: Callable[..., Visitor], workspace: Workspace
) -> None:
    users = str(workspace.http.base_url).replace("/workspaces/north/", "/users")
    new = {"name": "newcomer", "is_platform_admin": True}
    given, own = workspace.http.post(users, json=new).json()["password"], "known to nobody else"
    visitor = visit()
    page = visitor.page
    page.goto("/w/north/runs?state=failed")
    page.locator("input[name=name]").fill("newcomer")
    page.locator("input[name=password]").fill(given)
    page.get_by_role("button", name="Log in").click()
    visitor.sees_title("Account")
    page.locator("input[autocomplete=current-password]").fill(given)
    for again in (0, 1):
        page.locator("input[autocomplete=new-password]").nth(again).fill(own)
    page.get_by_role("button", name="Change the password").click()
    expect(page).to_have_url(re.compile(r"/w/north/runs\?state=failed$"))


def test_a_session_that_ended_leads_to_the_login_and_back(admin: Visitor) -> None:
    admin.go("/w/north/runs", "Runs")
    admin.page.context.clear_cookies()
    expect(admin.page.get_by_text("Your session is over.")).to_be_visible()
    admin.page.locator("input[name=name]").fill("admin")
    admin.page.locator("input[name=password]").fill(admin.control.password)
    admin.page.get_by_role("button", name="Log in").click()
    admin.sees_title("Runs")


def test_one_logs_out(admin: Visitor) -> None:
    admin.page.get_by_role("button", name=re.compile("You are admin")).click()
    admin.page.get_by_role("menuitem", name="Log out").click()
    expect(admin.page.get_by_role("button", name="Log in")).to_be_visible()
    assert admin.page.request.get("/api/v1/me").status == 401


def test_a_link_of_the_command_line_logs_in_once(visit: Callable[..., Visitor], workspace: Workspace) -> None:
    link = workspace.http.post(str(workspace.http.base_url).replace("/workspaces/north/", "/login-links")).json()
    visitor = visit()
    visitor.page.goto(link["path"])
    expect(visitor.page.get_by_role("navigation", name="Main")).to_be_visible()


def test_a_link_of_the_command_line_leads_to_a_page_of_this_server_and_no_other(
    visit: Callable[..., Visitor], workspace: Workspace
) -> None:
    links = str(workspace.http.base_url).replace("/workspaces/north/", "/login-links")
    visitor = visit()
    visitor.page.goto(workspace.http.post(links, json={"next": "/w/north/runs?state=failed"}).json()["path"])
    visitor.sees_title("Runs")
    assert visitor.page.url.endswith("/w/north/runs?state=failed")
    for elsewhere in ("//evil.example/", "/\\evil.example/"):
        visitor = visit()
        visitor.page.goto(workspace.http.post(links).json()["path"] + elsewhere)
        visitor.page.wait_for_url(lambda url: "/login/once" not in url)
        assert visitor.page.url.startswith(links.partition("/api/")[0])


def test_the_palette_finds_pages_and_runs(admin: Visitor) -> None:
    admin.go("/w/north", "north")
    admin.page.keyboard.press("Control+k")
    admin.page.get_by_role("textbox", name="Go to").fill("nightly")
    admin.page.get_by_role("button", name=re.compile("^nightly")).first.click()
    admin.sees_title("nightly")
    admin.page.keyboard.press("Control+k")
    admin.page.get_by_role("textbox", name="Go to").fill("Home")
    admin.page.keyboard.press("Enter")
    admin.sees_title("north")


def test_the_theme_that_was_chosen_stays(admin: Visitor) -> None:
    admin.page.get_by_role("button", name=re.compile("You are admin")).click()
    admin.page.get_by_text("Dark", exact=True).click()
    admin.page.reload()
    expect(admin.page.locator("html")).to_have_attribute("data-mantine-color-scheme", "dark")


def test_at_400_pixels_the_navigation_is_a_drawer(admin: Visitor) -> None:
    admin.page.set_viewport_size({"width": 400, "height": 800})
    admin.go("/w/north", "north")
    admin.page.get_by_role("button", name="Open the navigation").click()
    admin.page.get_by_role("navigation", name="Main").get_by_role("link", name="Runs").click()
    admin.sees_title("Runs")
    expect(admin.page.get_by_role("navigation", name="Main")).not_to_be_in_viewport()


def test_the_keyboard_skips_to_the_content(admin: Visitor) -> None:
    admin.go("/w/north", "north")
    admin.page.keyboard.press("Tab")
    expect(admin.page.get_by_role("link", name="Skip to the content")).to_be_focused()
    admin.page.keyboard.press("Enter")
    expect(admin.page.locator("#main")).to_be_focused()


def test_a_workspace_that_is_not_there_is_told_as_such(admin: Visitor) -> None:
    admin.page.goto("/w/elsewhere/runs")
    expect(admin.page.get_by_role("alert")).to_contain_text("There is no workspace elsewhere")


def test_a_control_plane_that_dies_is_told_and_the_page_comes_back_with_it(browser: Browser, tmp_path: Path) -> None:
    with ControlProcess(tmp_path) as control:
        workspace = Workspace(control)
        visitor = Visitor.of(browser, control)
        visitor.log_in()
        visitor.go("/w/north/runs", "Runs")
        control.stop(signal.SIGKILL)
        banner = visitor.page.get_by_role("status").filter(has_text="What is shown may be old")
        expect(banner).to_be_visible()
        control.start()
        expect(banner).not_to_be_visible()
        workspace.job("late", kind="sql", spec={"sql": "SELECT 1"})
        workspace.submit("late")
        expect(visitor.page.get_by_role("link", name="late")).to_be_visible()
        workspace.http.close()
        visitor.page.context.close()


def test_a_change_while_the_control_plane_is_away_is_told_as_not_known(browser: Browser, tmp_path: Path) -> None:
    with ControlProcess(tmp_path) as control:
        workspace = Workspace(control)
        visitor = Visitor.of(browser, control)
        page = visitor.page
        visitor.log_in()
        visitor.go("/w/north/new-job", "New job")
        page.get_by_label("Name").fill("later")
        control.stop(signal.SIGKILL)
        page.get_by_role("button", name="Create the job").click()
        expect(page.get_by_role("alert")).to_contain_text("Whether it was done is not known.")
        control.start()
        expect(
            page.get_by_text("The control plane is back. Look whether it was done, before you try again.")
        ).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.get_by_role("button", name="Create the job").click()
        visitor.sees_title("later")
        workspace.http.close()
        page.context.close()


def test_an_empty_installation_begins_with_a_workspace_and_says_which_services_fail(
    browser: Browser, tmp_path: Path
) -> None:
    with ControlProcess(tmp_path, None, "--lake", str(tmp_path / "nowhere")) as control:
        visitor = Visitor.of(browser, control)
        visitor.log_in()
        visitor.sees_title("Welcome to Boathouse")
        visitor.page.get_by_label("Its name").fill("First One")
        visitor.page.get_by_role("button", name="Make the workspace").click()
        expect(visitor.page.get_by_role("alert")).to_contain_text("name")
        visitor.page.get_by_label("Its name").fill("first")
        visitor.page.get_by_role("button", name="Make the workspace").click()
        visitor.sees_title("first")
        expect(visitor.page.get_by_role("heading", name="First steps")).to_be_visible()
        services = visitor.page.get_by_role("list", name="Services").get_by_role("listitem")
        expect(services.filter(has_text="Workers").get_by_label("failing")).to_be_visible()
        expect(services.filter(has_text="Database").get_by_label("well")).to_be_visible()
        failures = visitor.page.get_by_role("alert")
        expect(failures.filter(has_text="Workers")).to_contain_text("no run begins")
        # One reason is told once, whoever has it.
        expect(failures.filter(has_text="Catalog, Object store, Spark")).to_contain_text("Start it with boathouse up")
        expect(visitor.page.get_by_text("No table is known here yet")).to_be_visible()
        visitor.looks_well("home-first-steps")
        visitor.page.context.close()


def test_the_first_load_is_small(admin: Visitor) -> None:
    admin.go("/w/north", "north")
    expect(admin.page.get_by_role("heading", name="Went wrong lately")).to_be_visible()
    sizes: dict[str, int] = admin.page.evaluate(
        "Object.fromEntries(performance.getEntriesByType('resource').filter(one => one.name.includes('/assets/'))"
        ".map(one => [one.name, one.encodedBodySize]))"
    )
    assert any("Shell" in name for name in sizes)
    assert sum(sizes.values()) < 350_000


def test_a_link_that_was_used_says_so_and_leads_on(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.page.goto("/login/once#bh_nothing")
    expect(visitor.page.get_by_role("status")).to_contain_text("boathouse ui makes another")
    visitor.page.get_by_role("link", name="Go on to Boathouse").click()
    expect(visitor.page.get_by_role("button", name="Log in")).to_be_visible()

"""What one can do with jobs in the browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor
from tests.integration.worker_process import Workspace

ANY_CODE = "print('hello from the browser')\n"


def write(page: Page, editor: str, text: str) -> None:
    """Into an editor of code, in place of what is there."""
    page.get_by_role("textbox", name=editor).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def name_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Name", exact=True)


def test_a_job_is_written_as_a_file_run_and_its_log_is_read(admin: Visitor) -> None:
    page = admin.page
    admin.go("/w/north/jobs", "Jobs")
    page.get_by_role("link", name="New job").click()
    page.get_by_role("link", name="YAML").click()
    write(page, "The job as a file", f"job: hello\nkind: spark\nspec:\n  code: |\n    {ANY_CODE}")
    page.get_by_role("button", name="Create the job").click()
    admin.sees_title("hello")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_text("succeeded", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Log").click()
    expect(page.get_by_role("log")).to_contain_text("hello from the browser")


def test_what_cannot_be_saved_is_told_and_what_is_no_yaml_is_told_at_once(admin: Visitor) -> None:
    page = admin.page
    admin.go("/w/north/new-job?tab=yaml", "New job")
    write(page, "The job as a file", "job: wrong\nkind: sql\nspec: {rows: 5}\n")
    page.get_by_role("button", name="Create the job").click()
    expect(page.get_by_role("alert")).to_contain_text("sql: ")
    write(page, "The job as a file", "job: wrong\nkind: [")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("Line 2 is no YAML")
    expect(page.get_by_role("alert")).to_contain_text("Mend it under YAML")
    expect(page.get_by_role("button", name="Create the job")).to_be_disabled()
    page.get_by_role("link", name="Form", exact=True).click()
    expect(page.get_by_text("The YAML must be mended first")).to_be_visible()
    expect(name_of(page)).to_have_count(0)
    page.get_by_role("link", name="Go to the YAML").click()
    write(page, "The job as a file", "job: right\nkind: sql\nspec: {sql: SELECT 1}\n")
    page.get_by_role("link", name="Form", exact=True).click()
    expect(name_of(page)).to_have_value("right")


def test_a_name_that_is_taken_is_told_at_the_name_and_nothing_is_replaced(admin: Visitor, workspace: Workspace) -> None:
    workspace.job("taken", kind="sql", spec={"sql": "SELECT 'theirs'"})
    page = admin.page
    admin.go("/w/north/jobs", "Jobs")
    page.get_by_role("link", name="New job").click()
    expect(page.get_by_role("navigation", name="Breadcrumbs")).to_have_text(re.compile(r"north\s*/ Jobs\s*/ New job"))
    name_of(page).fill("taken")
    page.get_by_role("button", name="Create the job").click()
    expect(page.get_by_text("There is a job 'taken' already. Choose another name.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    job = workspace.http.get("/jobs/taken").json()
    assert (job["version"], job["definition"]["spec"]["sql"]) == (1, "SELECT 'theirs'")
    name_of(page).fill("not-taken")
    page.get_by_role("button", name="Create the job").click()
    admin.sees_title("not-taken")


def test_of_two_who_change_a_job_the_second_is_told_and_undoes_nothing(admin: Visitor, workspace: Workspace) -> None:
    workspace.job("for-two", kind="sql", spec={"sql": "SELECT 1"}, description="First.")
    page = admin.page
    admin.go("/w/north/jobs/for-two/edit", "Edit for-two")
    page.get_by_label("Description").fill("Mine.")
    workspace.job("for-two", kind="sql", spec={"sql": "SELECT 1"}, description="Theirs.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_role("alert")).to_contain_text("it is at version 2 by now")
    expect(page.get_by_label("Description")).to_have_value("Mine.")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="See what was changed meanwhile").click()
    expect(opened.value.get_by_role("textbox", name="Changes from version 1 to 2")).to_contain_text("Theirs.")
    assert workspace.http.get("/jobs/for-two").json()["definition"]["description"] == "Theirs."


def test_numbers_stay_as_they_are_typed_and_what_is_wrong_stands_beside_them(admin: Visitor) -> None:
    page = admin.page
    admin.go("/w/north/new-job", "New job")
    name_of(page).fill("by-numbers")
    page.get_by_label("Retries").fill("-3")
    page.get_by_label("Timeout, in seconds").fill("abc")
    page.get_by_label("Runs at once").fill("0")
    page.get_by_role("button", name="Create the job").click()
    for label, typed in (("Retries", "-3"), ("Timeout, in seconds", "abc"), ("Runs at once", "0")):
        expect(page.get_by_label(label)).to_have_value(typed)
        expect(page.get_by_label(label)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_have_count(0)
    # The first of them is led to, for the button is far above.
    expect(page.get_by_label("Retries")).to_be_focused()
    admin.looks_well("job-refused")


def test_a_change_by_the_form_is_a_version_that_can_be_compared_and_rolled_back(
    admin: Visitor, workspace: Workspace
) -> None:
    workspace.job("by-form", kind="spark", spec={"code": ANY_CODE}, description="First.")
    page = admin.page
    admin.go("/w/north/jobs/by-form/edit", "Edit by-form")
    page.get_by_label("Description").fill("Second.")
    page.get_by_role("switch", name="By a schedule").click()
    page.get_by_label("Cron").fill("30 5 * * 1")
    expect(page.get_by_text(re.compile("At 05:30, only on Monday"))).to_be_visible()
    page.get_by_role("link", name="Changes").click()
    expect(page.get_by_role("textbox", name="What saving would change")).to_contain_text("description: Second.")
    page.get_by_role("button", name="Save as a new version").click()
    admin.sees_title("by-form")
    expect(page.get_by_text("Second.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    expect(page.get_by_role("textbox", name="Changes from version 1 to 2")).to_contain_text("cron: 30 5 * * 1")
    admin.go("/w/north/jobs/by-form?tab=versions&from=2&to=1", "by-form")
    page.get_by_role("button", name="Roll back to version 1").click()
    page.get_by_role("button", name="Roll back", exact=True).click()
    expect(page.get_by_text("First.", exact=True)).to_be_visible()
    assert workspace.http.get("/jobs/by-form").json()["version"] == 3


def test_a_run_is_given_its_parameters_and_a_wrong_one_is_told(admin: Visitor, workspace: Workspace) -> None:
    page = admin.page
    admin.go("/w/north/jobs/daily-orders", "daily-orders")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_label("groups").fill("many")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("alert")).to_contain_text("the parameter groups")
    page.get_by_label("groups").fill("3")
    page.get_by_role("button", name="Start the run").click()
    page.wait_for_url("**/runs/*")
    run = workspace.run(page.url.rpartition("/")[2])
    assert run["values"] == {"source": "s3://lake/orders", "groups": 3, "seconds": 0.2}


def test_a_schedule_is_paused_and_resumed(admin: Visitor) -> None:
    admin.go("/w/north/jobs/top-customers", "top-customers")
    admin.page.get_by_role("button", name="Pause").click()
    expect(admin.page.get_by_text("It is paused")).to_be_visible()
    admin.page.get_by_role("button", name="Resume").click()
    expect(admin.page.get_by_text("It is paused")).not_to_be_visible()


def test_a_job_is_deleted_after_a_question(admin: Visitor, workspace: Workspace) -> None:
    workspace.job("to-go", kind="spark", spec={"code": ANY_CODE})
    admin.go("/w/north/jobs/to-go", "to-go")
    admin.page.get_by_role("button", name="More").click()
    admin.page.get_by_role("menuitem", name="Delete the job").click()
    admin.page.get_by_role("button", name="Delete it").click()
    admin.sees_title("Jobs")
    assert workspace.http.get("/jobs/to-go").status_code == 404


def test_a_viewer_is_offered_no_change_of_a_job(visit: Callable[..., Visitor], workspace: Workspace) -> None:
    base = str(workspace.http.base_url).replace("/workspaces/north/", "")
    user = {"name": "viktor", "password": "a lantern by the pier"}
    workspace.http.post(f"{base}/users", json=user)
    workspace.http.put("/members/viktor", json={"role": "viewer"}).raise_for_status()
    viktor = visit()
    viktor.log_in(**user)
    viktor.go("/w/north/jobs/top-customers", "top-customers")
    expect(viktor.page.get_by_role("button", name="Copy as")).to_be_visible()
    offered = viktor.page.get_by_role("button", name=re.compile("^(Run|Pause|More)$"))
    expect(offered.or_(viktor.page.get_by_role("link", name="Edit"))).to_have_count(0)
    for path, title in (("new-job", "New job"), ("jobs/top-customers/edit", "Edit top-customers")):
        viktor.go(f"/w/north/{path}", title)
        expect(viktor.page.get_by_text("This page takes the role editor in north")).to_be_visible()
        expect(name_of(viktor.page)).to_have_count(0)

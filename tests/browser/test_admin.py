"""Users, members, tokens, settings, notifications and the audit in the browser."""

import re
from collections.abc import Callable

import httpx
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Office
from tests.browser.visitor import Visitor
from tests.receivers import SECRET, webhook_receiver

FIRST_PASSWORD = "a lantern by the first pier"
NEW_PASSWORD = "a lantern by the other pier"


def told_once(visitor: Visitor) -> str:
    return visitor.page.get_by_test_id("told-once").inner_text()


def row(visitor: Visitor, text: str) -> Locator:
    return visitor.page.get_by_role("row").filter(has_text=text)


def test_a_user_is_made_becomes_a_member_makes_a_token_and_the_audit_has_all_of_it(
    clerk: Visitor, office: Office, visit: Callable[..., Visitor]
) -> None:
    ann = visit(at=office.control)
    password = makes_a_user(clerk)
    logs_in_and_sets_a_password(ann, password)
    makes_her_a_member(clerk)
    sees_no_more_than_she_may(ann)
    makes_and_revokes_a_token(ann, office)
    finds_all_of_it_in_the_audit(clerk)
    is_put_out(ann, clerk)


def makes_a_user(clerk: Visitor) -> str:
    page = clerk.page
    clerk.go("/admin/users", "Users")
    page.get_by_role("button", name="New user").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("_")
    page.get_by_role("button", name="Create the user").click()
    expect(page.get_by_text(re.compile("^Must be 2 to 100 letters"))).to_be_visible()
    page.get_by_role("textbox", name="Name", exact=True).fill("Ann")
    page.get_by_label("Full name").fill("Ann Oar")
    clerk.looks_well("new-user")
    page.get_by_role("button", name="Create the user").click()
    expect(page.get_by_text("is told this once")).to_be_visible()
    clerk.looks_well("new-user-told")
    password = told_once(clerk)
    page.get_by_role("button", name="Done").click()
    expect(row(clerk, "Ann Oar")).to_contain_text("never")
    assert password not in page.content()
    return password


def logs_in_and_sets_a_password(ann: Visitor, password: str) -> None:
    ann.log_in("ann", password)
    ann.sees_title("Account")
    ann.page.goto("/admin/users")
    ann.sees_title("Account")
    changes_the_password(ann, password, FIRST_PASSWORD)
    # On to where she wanted to go.
    ann.sees_title("Users")
    expect(ann.page.get_by_text("This page takes the role of a platform admin")).to_be_visible()
    ann.go("/account", "Account")
    changes_the_password(ann, FIRST_PASSWORD, NEW_PASSWORD)
    expect(ann.page.get_by_text("Your other sessions are over")).to_be_visible()
    ann.looks_well("account")
    ann.go("/", "Welcome")


def changes_the_password(ann: Visitor, old: str, new: str) -> None:
    ann.page.get_by_role("textbox", name="Current password").fill(old)
    ann.page.get_by_role("textbox", name="New password", exact=True).fill(new)
    ann.page.get_by_role("textbox", name="New password, again").fill(new)
    ann.page.get_by_role("button", name="Change the password").click()


def makes_her_a_member(clerk: Visitor) -> None:
    page = clerk.page
    clerk.go("/w/north/members", "Members")
    page.get_by_role("button", name="Add a member").click()
    page.get_by_role("combobox", name="User").fill("oar")
    page.get_by_role("option", name="ann (Ann Oar)").click()
    page.get_by_role("button", name="Add them").click()
    expect(row(clerk, "Ann Oar")).to_be_visible()
    page.get_by_role("combobox", name="Role of ann").click()
    page.get_by_role("option", name=re.compile("^runner")).click()
    expect(row(clerk, "Ann Oar")).to_contain_text("also starts and stops runs")
    clerk.looks_well("members")
    page.get_by_role("button", name="Remove admin").click()
    page.get_by_role("button", name="Remove them").click()
    expect(page.get_by_role("alert")).to_contain_text("only admin of north")
    page.get_by_role("button", name="Keep it as it is").click()


def sees_no_more_than_she_may(ann: Visitor) -> None:
    ann.go("/w/north/members", "Members")
    expect(row(ann, "Ann Oar")).to_contain_text("runner")
    expect(ann.page.get_by_role("button", name="Add a member")).to_have_count(0)
    navigation = ann.page.get_by_role("navigation", name="Main")
    expect(navigation.get_by_role("link", name="Connections")).to_be_visible()
    expect(navigation.get_by_role("link", name=re.compile("^(Audit|Users|Full audit|Server)$"))).to_have_count(0)
    ann.go("/w/north/audit", "Audit")
    expect(ann.page.get_by_text("This page takes the role admin in north")).to_be_visible()


def makes_and_revokes_a_token(ann: Visitor, office: Office) -> None:
    page = ann.page
    ann.go("/tokens", "My tokens")
    expect(page.get_by_text("You have no tokens")).to_be_visible()
    page.get_by_role("button", name="New token").click()
    page.get_by_label("What it is for").fill("nightly CI")
    page.get_by_role("button", name="Create the token").click()
    expect(page.get_by_text("is told this once")).to_be_visible()
    ann.looks_well("new-token-told")
    headers = {"Authorization": f"Bearer {told_once(ann)}"}
    me = f"{office.control.url}/api/v1/me"
    assert httpx.get(me, headers=headers, trust_env=False).json()["name"] == "ann"
    page.get_by_role("button", name="Done").click()
    expect(row(ann, "nightly CI")).to_contain_text("viewer")
    ann.looks_well("tokens")
    page.get_by_role("button", name="Revoke nightly CI").click()
    page.get_by_role("button", name="Revoke it").click()
    expect(page.get_by_text("You have no tokens")).to_be_visible()
    assert httpx.get(me, headers=headers, trust_env=False).status_code == 401


def finds_all_of_it_in_the_audit(clerk: Visitor) -> None:
    page = clerk.page
    clerk.go("/admin/audit", "Full audit")
    page.get_by_role("combobox", name="Who").fill("ann")
    page.keyboard.press("Tab")
    page.wait_for_url("**user=ann**")
    for action in ("token.create", "token.revoke", "me.change-password", "session.log-in"):
        expect(page.get_by_role("link", name=action).first).to_be_visible()
    expect(page.get_by_role("link", name="member.set")).to_have_count(0)
    clerk.looks_well("full-audit")
    page.get_by_role("link", name="token.create").click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("nightly CI")
    expect(drawer).to_contain_text("127.0.0.1")
    clerk.looks_well("audit-entry")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_text("none was changed or taken out")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Export").click()
    address = page.get_by_role("menuitem", name=re.compile("^CSV")).get_attribute("href") or ""
    head, *exported = page.request.get(address).text().splitlines()
    assert head.startswith("number,at,")
    assert exported
    assert all(",ann," in line for line in exported)
    clerk.go("/w/north/audit?action=member", "Audit")
    expect(page.get_by_role("link", name="member.set").first).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("token\\."))).to_have_count(0)
    clerk.looks_well("workspace-audit")


def is_put_out(ann: Visitor, clerk: Visitor) -> None:
    clerk.go("/admin/users?text=ann", "Users")
    clerk.page.get_by_role("button", name="What to do with ann").click()
    clerk.page.get_by_role("menuitem", name="Disable").click()
    clerk.page.get_by_role("button", name="Disable them").click()
    expect(row(clerk, "Ann Oar")).to_contain_text("disabled")
    clerk.looks_well("users")
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Log in")).to_be_visible()


def test_workspaces_are_made_set_up_and_deleted_and_the_server_tells_what_it_is(clerk: Visitor, office: Office) -> None:
    page = clerk.page
    clerk.go("/admin/workspaces", "Workspaces")
    page.get_by_role("button", name="New workspace").click()
    page.get_by_label("Name").fill("south")
    page.get_by_role("button", name="Make the workspace").click()
    clerk.sees_title("Settings")
    page.get_by_label("Description").fill("Meters of the south")
    page.get_by_label("Runs at once").fill("0")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Runs at once")).to_have_value("0")
    expect(page.get_by_label("Runs at once")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Runs at once").fill("3")
    page.get_by_label("Retries").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    told = office.north.http.get(f"{office.control.url}/api/v1/workspaces/south").json()
    assert (told["description"], told["quotas"]["runs"], told["defaults"]["retries"]) == ("Meters of the south", 3, 2)
    clerk.looks_well("workspace-settings")
    clerk.go("/admin/workspaces", "Workspaces")
    expect(row(clerk, "south")).to_contain_text("Meters of the south")
    clerk.looks_well("workspaces")
    page.get_by_role("link", name="south").click()
    page.get_by_role("button", name="Delete south").click()
    page.get_by_label("Type south to go on").fill("south")
    page.get_by_role("button", name="Delete it for good").click()
    clerk.sees_title("Workspaces")
    expect(page.get_by_role("link", name="south")).to_have_count(0)
    clerk.go("/admin/server", "Server")
    expect(page.get_by_text("SQLite")).to_be_visible()
    expect(page.get_by_text("No worker is there")).to_be_visible()
    clerk.looks_well("server")


def test_a_viewer_reads_the_settings_and_is_given_no_form(visit: Callable[..., Visitor], office: Office) -> None:
    vera = visit(at=office.control)
    vera.log_in(**office.user("vera", "viewer"))
    vera.go("/w/north/settings", "Settings")
    expect(vera.page.get_by_role("main")).to_contain_text("262,144")
    expect(vera.page.get_by_role("main").get_by_role("textbox")).to_have_count(0)
    vera.looks_well("settings-viewer")


def test_a_notification_is_made_tested_and_turned_off(clerk: Visitor, office: Office) -> None:
    page = clerk.page
    with webhook_receiver() as receiver:
        office.north.connection("hook", "webhook", {"url": receiver.url}, {"secret": SECRET})
        clerk.go("/w/north/notifications", "Notifications")
        expect(page.get_by_text("Nobody is told of anything yet")).to_be_visible()
        page.get_by_role("button", name="New notification").click()
        page.get_by_label("Name").fill("nights")
        page.get_by_role("combobox", name="By the connection").click()
        page.get_by_role("option", name="hook (webhook)").click()
        page.get_by_role("checkbox", name="schedule-missed").click()
        page.get_by_role("combobox", name="Jobs").fill("daily-*")
        page.keyboard.press("Enter")
        clerk.looks_well("new-notification")
        page.get_by_role("button", name="Create it").click()
        expect(row(clerk, "nights")).to_contain_text("daily-*")
        clerk.looks_well("notifications")
        page.get_by_role("link", name="nights").click()
        clerk.sees_title("nights")
        page.get_by_role("button", name="Send a test").click()
        expect(page.get_by_role("list", name="Test").get_by_role("listitem").last).to_contain_text("ok")
        assert receiver.types == ["test"]
        clerk.looks_well("notification")
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()
    told = office.north.http.get("/notifications/nights").json()
    assert (told["enabled"], told["events"], told["jobs"]) == (
        False,
        ["run-failed", "run-recovered", "schedule-missed"],
        ["daily-*"],
    )
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete it").click()
    clerk.sees_title("Notifications")
    office.north.http.delete("/connections/hook").raise_for_status()

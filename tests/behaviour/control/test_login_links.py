"""Links that log a browser in: once, for a minute, and never further than who asked for them may go."""

import asyncio
import base64
import re
from datetime import timedelta
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from boathouse.control.database.base import now
from boathouse.control.login_links.models import LoginLink
from boathouse.control.sessions.models import BrowserSession
from boathouse.control.tokens.models import Token
from tests.behaviour.control.control_plane import Caller, ControlPlane


async def link_of(caller: Caller) -> str:
    """The code that the page would send."""
    path = (await caller.post("/login-links"))["path"]
    page, _, code = path.partition("#")
    assert page == "/login/once"
    return code


async def test_it_logs_a_browser_in_as_who_asked_for_it(control: ControlPlane) -> None:
    ann = await control.user("ann")
    browser = control.caller()
    told = await browser.post("/login/once", {"code": await link_of(ann)}, status=200)
    assert told["user"]["name"] == "ann"
    assert (await browser.get("/me"))["name"] == "ann"
    browser.http.headers["X-Boathouse-CSRF"] = told["csrf"]
    await browser.post("/tokens", {"name": "x"})


async def test_it_works_once(control: ControlPlane) -> None:
    code = await link_of(control.admin)
    await control.caller().post("/login/once", {"code": code}, status=200)
    error = await control.caller().post("/login/once", {"code": code}, status=401)
    assert "used already" in error["message"]


async def test_it_ends_with_the_sessions_of_its_user(control: ControlPlane) -> None:
    ann = await control.user("ann")
    codes = [await link_of(ann)]
    ann = control.caller()
    password = (await control.admin.post("/users/ann/password", status=200))["password"]
    await ann.log_in("ann", password)
    await ann.post("/me/password", {"current": password, "new": "another lantern by the pier"}, status=204)
    codes.append(await link_of(ann))
    for disabled in (True, False):
        await control.admin.ask("PATCH", "/users/ann", {"disabled": disabled})
    for code in codes:
        await control.caller().post("/login/once", {"code": code}, status=401)
    await control.caller().post("/login/once", {"code": await link_of(control.admin)}, status=200)


async def test_of_many_who_use_it_at_once_one_gets_in(control: ControlPlane) -> None:
    code = await link_of(control.admin)
    tries = [control.caller().http.post("/api/v1/login/once", json={"code": code}) for _ in range(8)]
    answers = sorted([response.status_code for response in await asyncio.gather(*tries)])
    assert answers == [200, *[401] * 7]


async def test_it_lives_longer_if_asked_but_for_ten_minutes_at_most(control: ControlPlane) -> None:
    await control.admin.post("/login-links", {"seconds": 600})
    async with control.database.reading() as work:
        (link,) = (await work.scalars(select(LoginLink))).all()
        assert timedelta(seconds=590) < link.expires_at - now() <= timedelta(seconds=600)
    await control.admin.post("/login-links", {"seconds": 601}, status=422)


async def test_it_leads_to_the_page_that_was_asked_for(control: ControlPlane) -> None:
    path = (await control.admin.post("/login-links", {"next": "/w/north/pipelines/meters?tab=live"}))["path"]
    code = path.removeprefix("/login/once#").removesuffix("/w/north/pipelines/meters?tab=live")
    assert "/" not in code
    await control.caller().post("/login/once", {"code": code}, status=200)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "w", ""]
)
async def test_it_leads_to_no_page_of_somebody_else(control: ControlPlane, elsewhere: str) -> None:
    error = await control.admin.post("/login-links", {"next": elsewhere}, status=400)
    assert "not a path of this server" in error["message"]


async def test_it_ends_after_a_minute_and_is_forgotten(control: ControlPlane) -> None:
    code = await link_of(control.admin)
    async with control.database.changing() as work:
        (link,) = (await work.scalars(select(LoginLink))).all()
        assert timedelta(seconds=50) < link.expires_at - now() <= timedelta(seconds=60)
        assert code not in link.code_hash
        await work.execute(update(LoginLink).values(expires_at=now()))
    await control.caller().post("/login/once", {"code": code}, status=401)
    await link_of(control.admin)
    async with control.database.reading() as work:
        assert len((await work.scalars(select(LoginLink))).all()) == 1


async def test_a_disabled_user_stays_out(control: ControlPlane) -> None:
    code = await link_of(await control.user("ann"))
    await control.admin.ask("PATCH", "/users/ann", {"disabled": True})
    await control.caller().post("/login/once", {"code": code}, status=401)


async def test_a_token_gets_no_further_by_a_link(control: ControlPlane) -> None:
    await control.workspace("north")
    for wanted in ({"role": "editor"}, {"role": "admin", "workspace": "north"}):
        token = (await control.admin.post("/tokens", {"name": "x", **wanted}))["secret"]
        error = await control.caller(token).post("/login-links", status=403)
        assert "may not do all" in error["message"]
    token = (await control.admin.post("/tokens", {"name": "x", "role": "admin"}))["secret"]
    await control.caller().post("/login/once", {"code": await link_of(control.caller(token))}, status=200)


async def test_who_made_one_and_who_used_it_is_in_the_audit_but_no_code(control: ControlPlane) -> None:
    ann = await control.user("ann")
    code = await link_of(ann)
    await control.caller(address="10.0.0.8").post("/login/once", {"code": code}, status=200)
    used, made = (await control.admin.get("/audit"))["items"][:2]
    assert (made["action"], made["user_name"]) == ("session.make-link", "ann")
    assert (used["action"], used["user_name"], used["address"]) == ("session.log-in-by-link", "ann", "10.0.0.8")
    assert code not in f"{used} {made}"


async def test_the_page_runs_no_script_but_its_own(control: ControlPlane) -> None:
    page = await control.caller().http.get("/login/once")
    (script,) = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
    allowed = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{allowed}';" in page.headers["Content-Security-Policy"]
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["Referrer-Policy"] == "no-referrer"


async def test_the_first_page_says_where_one_is(control: ControlPlane) -> None:
    page = await control.caller().http.get("/")
    assert page.status_code == 200
    assert "boathouse" in page.text


async def test_what_it_leads_to_ends_with_the_token_it_was_asked_for_with(control: ControlPlane) -> None:
    made = await control.admin.post("/tokens", {"name": "ci", "role": "admin", "days": 1})
    caller = control.caller(made["secret"])
    # By one link, and by another that is asked for with what the first led to.
    for _ in range(2):
        browser = control.caller()
        told = await browser.post("/login/once", {"code": await link_of(caller)}, status=200)
        browser.http.headers["X-Boathouse-CSRF"] = told["csrf"]
        longer = await browser.post("/tokens", {"name": "longer", "role": "admin", "days": 366})
        assert longer["expires_at"] == made["expires_at"]
        caller = browser


async def test_a_session_is_over_when_the_token_is_that_it_came_from(control: ControlPlane) -> None:
    made = await control.admin.post("/tokens", {"name": "ci", "role": "admin", "days": 1})
    ends_at = now() + timedelta(hours=1)
    async with control.database.changing() as work:
        (await work.get_one(Token, made["id"])).expires_at = ends_at
    browser = control.caller()
    await browser.post("/login/once", {"code": await link_of(control.caller(made["secret"]))}, status=200)
    async with control.database.reading() as work:
        sessions = (await work.scalars(select(BrowserSession).order_by(BrowserSession.id))).all()
    assert [session.expires_at == ends_at for session in sessions] == [False, True]
    assert sessions[0].ends_at is None

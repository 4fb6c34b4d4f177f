"""Logging in: cookies, what protects them, and what slows down who guesses."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select

from boathouse.control.database.base import now
from boathouse.control.sessions import throttle
from boathouse.control.sessions.models import BrowserSession, FailedLogins
from tests.behaviour.control.control_plane import PASSWORD, ControlPlane


async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(control: ControlPlane) -> None:
    await control.user("ann")
    caller = control.caller()
    response = await caller.http.post("/api/v1/login", json={"name": "ann", "password": PASSWORD})
    session, csrf = response.headers.get_list("set-cookie")
    assert "boathouse_session=" in session
    assert "HttpOnly" in session
    assert "SameSite=lax" in session
    assert "HttpOnly" not in csrf
    secret = session.partition("=")[2].partition(";")[0]
    assert secret not in (await _newest(control)).secret_hash


async def _newest(control: ControlPlane) -> BrowserSession:
    async with control.database.reading() as work:
        newest = await work.scalar(select(BrowserSession).order_by(BrowserSession.id.desc()).limit(1))
    assert newest is not None
    return newest


async def test_behind_https_the_cookie_is_sent_there_only(control: ControlPlane) -> None:
    await control.user("ann")
    caller = control.caller()
    response = await caller.http.post("https://control/api/v1/login", json={"name": "ann", "password": PASSWORD})
    assert all("Secure" in cookie for cookie in response.headers.get_list("set-cookie"))


async def test_a_change_needs_the_word_of_our_own_page(control: ControlPlane) -> None:
    ann = await control.user("ann")
    word = ann.http.headers.pop("X-Boathouse-CSRF")
    error = await ann.post("/tokens", {"name": "x"}, status=403)
    assert "X-Boathouse-CSRF" in error["message"]
    await ann.post("/tokens", {"name": "x"}, status=403, headers={"X-Boathouse-CSRF": word[:-1]})
    await ann.post("/tokens", {"name": "x"}, status=201, headers={"X-Boathouse-CSRF": word})
    await ann.get("/me")


async def test_who_logs_out_is_out(control: ControlPlane) -> None:
    ann = await control.user("ann")
    kept = ann.http.cookies["boathouse_session"]
    await ann.post("/logout", status=204)
    await ann.get("/me", status=401)
    ann.http.cookies.set("boathouse_session", kept)
    await ann.get("/me", status=401)


async def test_a_session_ends_by_itself(control: ControlPlane) -> None:
    ann = await control.user("ann")
    async with control.database.changing() as work:
        session = await work.get_one(BrowserSession, (await _newest(control)).id)
        session.expires_at = now() - timedelta(seconds=1)
    await ann.get("/me", status=401)


@pytest.mark.parametrize("name", ["ann", "nobody"])
async def test_after_some_failures_one_has_to_wait_longer_each_time(control: ControlPlane, name: str) -> None:
    await control.user("ann")
    caller = control.caller()
    for _ in range(throttle.FREE_TRIES["name"]):
        error = await caller.log_in(name, "wrong", status=401)
        assert error["message"] == "The name or the password is wrong."
    error = await caller.log_in(name, PASSWORD, status=429)
    assert error["retry_after"] >= 1
    # From elsewhere too: it is the name that is guessed at.
    await control.caller(address="10.0.0.2").log_in(name, PASSWORD, status=429)


async def test_a_login_that_works_clears_the_name(control: ControlPlane) -> None:
    await control.user("ann")
    caller = control.caller()
    for _ in range(throttle.FREE_TRIES["name"] - 1):
        await caller.log_in("ann", "wrong", status=401)
    await caller.log_in("ann")
    await caller.log_in("ann", "wrong", status=401)


async def test_a_login_that_works_takes_off_the_address_what_failed_for_its_name_alone(control: ControlPlane) -> None:
    await control.user("ann")
    office, others = control.caller(address="10.7.7.7"), throttle.FREE_TRIES["address"] - 1
    for _ in range(3):
        await office.log_in("ann", "wrong", status=401)
        await office.log_in("ann")
    async with control.database.reading() as work:
        assert (await work.get_one(FailedLogins, "address:10.7.7.7")).failures == 0
    for number in range(others):
        await office.log_in(f"user-{number}", "wrong", status=401)
    await office.log_in("ann")
    async with control.database.reading() as work:
        assert (await work.get_one(FailedLogins, "address:10.7.7.7")).failures == others


async def test_an_address_that_tries_many_names_is_slowed_down(control: ControlPlane) -> None:
    guesser = control.caller(address="10.6.6.6")
    for number in range(throttle.FREE_TRIES["address"]):
        await guesser.log_in(f"user-{number}", "wrong", status=401)
    await guesser.log_in("one-more", "wrong", status=429)
    await control.caller(address="10.0.0.7").log_in("one-more", "wrong", status=401)


@pytest.mark.parametrize(("failures", "seconds"), [(4, 0), (5, 1), (8, 8), (15, 900), (10_000, 900)])
async def test_the_wait_doubles_up_to_a_quarter_of_an_hour(control: ControlPlane, failures: int, seconds: int) -> None:
    async with control.database.changing() as work:
        work.add(FailedLogins(key="name:x", failures=failures - 1, blocked_until=now()))
    async with control.database.changing() as work:
        await throttle.count_failure(work, "x", "10.0.0.9")
    async with control.database.reading() as work:
        row = await work.get_one(FailedLogins, "name:x")
    assert abs((row.blocked_until - now()).total_seconds() - seconds) < 5


async def test_of_many_failures_at_once_each_counts(control: ControlPlane) -> None:
    await control.user("ann")
    tries = [control.caller().http.post("/api/v1/login", json={"name": "ann", "password": "no"}) for _ in range(12)]
    answers = {response.status_code for response in await asyncio.gather(*tries)}
    assert answers <= {401, 429}
    await control.caller().log_in("ann", status=429)


async def test_nobody_gets_in_without_anything(control: ControlPlane) -> None:
    for header in ({}, {"Authorization": "Bearer bh_x"}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer"}):
        await control.caller().get("/me", status=401, headers=header)
    guesser = control.caller()
    guesser.http.cookies.set("boathouse_session", "bh_guess")
    await guesser.get("/me", status=401)

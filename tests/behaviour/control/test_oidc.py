"""Logging in by a real OpenID Connect provider: who comes in as whom, with which role, and who stays out."""

from collections.abc import AsyncGenerator, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boathouse.control.database import Database
from boathouse.control.identities import attempts
from boathouse.control.identities.endpoints import COOKIE
from tests.behaviour.control.control_plane import PASSWORD, ControlPlane, Json
from tests.behaviour.control.oidc_logins import (
    CALLBACK,
    REDIRECT_URI,
    START,
    control_with,
    log_in,
    query_of,
    sent_away,
    sent_back,
    settings_for,
)
from tests.identity_provider.provider import CLIENT_SECRET, IdentityProvider

MAPPING = {"admin_groups": ["harbour"], "workspaces": {"north": {"crew": "viewer", "captains": "editor"}}}


@pytest.fixture(scope="session")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Generator[IdentityProvider]:
    with IdentityProvider(tmp_path_factory.mktemp("provider"), REDIRECT_URI) as provider:
        yield provider


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy named by the environment cannot reach a provider on this machine."""
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")


@pytest.fixture
async def harbour(database: Database, provider: IdentityProvider, tmp_path: Path) -> AsyncGenerator[ControlPlane]:
    """A control plane with that provider, and a workspace that its groups have roles in."""
    provider.has(ann=["crew"], bob=[])
    async with control_with(database, settings_for(provider.issuer, tmp_path / "secret", **MAPPING)) as control:
        await control.workspace("north")
        await control.workspace("south")
        yield control


async def audit_of_logins(control: ControlPlane) -> list[dict[str, Any]]:
    return (await control.admin.get("/audit", params={"action": "session.log-in-by-oidc"}))["items"]


class TestComingIn:
    async def test_a_login_ends_in_a_session_where_it_was_meant_to(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        response = await log_in(ann, "ann", "/workspaces/north?tab=runs")
        assert (response.status_code, response.headers["location"]) == (302, "/workspaces/north?tab=runs")
        assert response.headers["referrer-policy"] == "no-referrer"
        me = await ann.get("/me")
        assert (me["name"], me["display_name"]) == ("ann", "Ann of the provider")
        assert not me["is_platform_admin"]
        assert not me["must_change_password"]

    async def test_the_cookies_are_those_of_any_login(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        cookies = (await log_in(ann, "ann")).headers.get_list("set-cookie")
        session = next(cookie for cookie in cookies if cookie.startswith("boathouse_session="))
        assert "HttpOnly" in session
        assert "SameSite=lax" in session
        assert "HttpOnly" not in next(cookie for cookie in cookies if cookie.startswith("boathouse_csrf="))
        word = ann.http.headers.pop("X-Boathouse-CSRF")
        await ann.post("/tokens", {"name": "x"}, status=403)
        await ann.post("/tokens", {"name": "x"}, headers={"X-Boathouse-CSRF": word})

    async def test_what_the_browser_keeps_meanwhile_is_sealed_and_out_of_reach(self, harbour: ControlPlane) -> None:
        caller = harbour.caller()
        response = await caller.http.get(START)
        (cookie,) = response.headers.get_list("set-cookie")
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert f"Path={START.removesuffix('/start')}" in cookie
        asked = query_of(response.headers["location"])
        assert asked["state"] not in cookie
        assert asked["code_challenge_method"] == "S256"
        assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3

    async def test_they_are_the_same_user_each_time(self, harbour: ControlPlane) -> None:
        first, again = harbour.caller(), harbour.caller()
        await log_in(first, "ann")
        await log_in(again, "ann")
        assert (await first.get("/me"))["id"] == (await again.get("/me"))["id"]

    async def test_a_local_user_of_that_name_stays_another_person(self, harbour: ControlPlane) -> None:
        local = await harbour.user("ann", north="admin")
        ann = harbour.caller()
        await log_in(ann, "ann")
        me = await ann.get("/me")
        assert me["name"] == "ann-2"
        assert me["id"] != (await local.get("/me"))["id"]
        assert (await ann.get("/workspaces"))["items"][0]["role"] == "viewer"

    async def test_it_is_in_the_audit_as_a_login_without_a_secret(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        back = await sent_back(ann, "ann")
        await ann.http.get(back)
        (entry,) = await audit_of_logins(harbour)
        assert (entry["user_name"], entry["target"], entry["result"]) == ("ann", "user ann", "done")
        assert entry["details"]["subject"] == "ann"
        assert entry["details"]["roles"] == {"north": "viewer"}
        assert query_of(back)["code"] not in str(entry)
        assert (await harbour.admin.get("/audit/verify"))["holds"]


class TestRoles:
    async def test_groups_give_roles_and_take_them_back_at_the_next_login(
        self, harbour: ControlPlane, provider: IdentityProvider
    ) -> None:
        ann = harbour.caller()
        seen: list[Json] = []
        for groups in (["crew", "captains"], ["crew"], [], ["harbour"], []):
            provider.has(ann=groups, bob=[])
            await log_in(ann, "ann")
            me, spaces = await ann.get("/me"), (await ann.get("/workspaces"))["items"]
            seen.append((me["is_platform_admin"], {one["name"]: one["role"] for one in spaces}))
        everywhere = {"north": "admin", "south": "admin"}
        assert seen == [
            (False, {"north": "editor"}),
            (False, {"north": "viewer"}),
            (False, {}),
            (True, everywhere),
            (False, {}),
        ]

    async def test_the_last_platform_admin_stays_one_until_there_is_another(
        self, harbour: ControlPlane, provider: IdentityProvider
    ) -> None:
        provider.has(ann=["harbour"], bob=[])
        ann = harbour.caller()
        await log_in(ann, "ann")
        await ann.ask("PATCH", "/users/admin", {"is_platform_admin": False})
        provider.has(ann=["crew"], bob=["harbour"])
        await log_in(ann, "ann")
        assert (await ann.get("/me"))["is_platform_admin"]
        (entry, *_) = (await ann.get("/audit", params={"action": "session.log-in-by-oidc"}))["items"]
        assert entry["details"]["stays"] == "platform admin, for nobody else is one"
        await log_in(harbour.caller(), "bob")
        await log_in(ann, "ann")
        assert not (await ann.get("/me"))["is_platform_admin"]

    async def test_a_refusal_says_which_role_was_missing(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        await log_in(ann, "ann")
        connection = {"name": "lake", "kind": "trino", "config": {"address": "http://localhost:1", "user": "u"}}
        error = await ann.post("/workspaces/north/connections", connection, status=403)
        assert error["message"] == "ann is viewer in north, and this takes the role editor."

    async def test_what_was_given_by_hand_elsewhere_stays(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        await log_in(ann, "ann")
        await harbour.admin.ask("PUT", "/workspaces/south/members/ann", {"role": "runner"})
        await harbour.admin.ask("PUT", "/workspaces/north/members/ann", {"role": "admin"})
        await log_in(ann, "ann")
        spaces = (await ann.get("/workspaces"))["items"]
        assert {one["name"]: one["role"] for one in spaces} == {"north": "viewer", "south": "runner"}


class TestStayingOut:
    async def test_a_disabled_user_stays_out(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        await log_in(ann, "ann")
        await harbour.admin.ask("PATCH", "/users/ann", {"disabled": True})
        again = harbour.caller()
        response = await log_in(again, "ann")
        assert (response.status_code, response.json()["error"]["message"]) == (403, "ann is disabled here.")
        await again.get("/me", status=401)
        await ann.get("/me", status=401)
        assert [one["result"] for one in await audit_of_logins(harbour)] == ["forbidden", "done"]

    async def test_who_is_in_none_of_the_groups_is_told_which(
        self, database: Database, provider: IdentityProvider, tmp_path: Path
    ) -> None:
        provider.has(ann=["crew"], bob=[])
        settings = settings_for(provider.issuer, tmp_path / "secret", allowed_groups=["crew", "captains"])
        async with control_with(database, settings) as control:
            assert (await log_in(control.caller(), "ann")).status_code == 302
            response = await log_in(control.caller(), "bob")
            assert response.status_code == 403
            assert "it takes one of the groups crew, captains" in response.json()["error"]["message"]
            users = [user["name"] for user in (await control.admin.get("/users"))["items"]]
            assert users == ["admin", "ann"]

    async def test_another_browser_cannot_finish_what_one_began(self, harbour: ControlPlane) -> None:
        began, other = harbour.caller(), harbour.caller()
        back = await sent_back(began, "ann")
        assert (await other.http.get(back)).status_code == 401
        await sent_away(other)
        assert (await other.http.get(back)).status_code == 401
        await other.get("/me", status=401)
        assert (await began.http.get(back)).status_code == 302

    async def test_an_answer_counts_once(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        back = await sent_back(ann, "ann")
        kept = ann.http.cookies[COOKIE]
        assert (await ann.http.get(back)).status_code == 302
        assert (await ann.http.get(back)).status_code == 401
        response = await harbour.caller().http.get(back, headers={"Cookie": f"{COOKIE}={kept}"})
        assert (response.status_code, response.json()["error"]["hint"]) == (401, "Start again.")

    async def test_the_provider_refuses_who_does_not_know_the_verifier(self, harbour: ControlPlane) -> None:
        ann, vault = harbour.caller(), harbour.app.state.connections.vault
        back = await sent_back(ann, "ann")
        attempt = attempts.opened(vault, ann.http.cookies[COOKIE])
        assert attempt is not None
        forged = replace(attempt, verifier="v" * 43).sealed(vault)
        response = await harbour.caller().http.get(back, headers={"Cookie": f"{COOKIE}={forged}"})
        assert response.status_code == 401
        assert (await ann.http.get(back)).status_code == 302, "it was the verifier that was wrong"

    async def test_a_login_that_took_too_long_is_begun_again(self, harbour: ControlPlane) -> None:
        ann, vault = harbour.caller(), harbour.app.state.connections.vault
        back = await sent_back(ann, "ann")
        attempt = attempts.opened(vault, ann.http.cookies[COOKIE])
        assert attempt is not None
        late = replace(attempt, ends_at=attempt.ends_at - attempts.SECONDS - 1).sealed(vault)
        response = await harbour.caller().http.get(back, headers={"Cookie": f"{COOKIE}={late}"})
        assert "too long ago" in response.json()["error"]["message"]

    async def test_answers_that_are_none_are_refused(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        state = query_of(await sent_away(ann))["state"]
        for query in ({}, {"code": "c"}, {"state": "x", "code": "c"}, {"state": state}):
            assert (await ann.http.get(CALLBACK, params=query)).status_code == 401
        other = {"state": state, "code": "c", "iss": "https://elsewhere.example.org"}
        assert "another identity provider" in (await ann.http.get(CALLBACK, params=other)).text
        assert (await ann.http.get(CALLBACK, params={"state": state, "error": "access_denied"})).status_code == 403
        for cookie in ("", "x", "eyJrZXkiOiIxIn0="):
            response = await harbour.caller().http.get(
                CALLBACK, params={"state": state, "code": "c"}, headers={"Cookie": f"{COOKIE}={cookie}"}
            )
            assert response.status_code == 401

    @pytest.mark.parametrize(
        "following",
        [
            "https://elsewhere.example.org",
            "//elsewhere.example.org",
            "/\\elsewhere",
            "x",
            "",
            "/\t/e",
            "/" + "x" * 2000,
        ],
    )
    async def test_a_login_ends_on_a_page_of_ours(self, harbour: ControlPlane, following: str) -> None:
        response = await harbour.caller().http.get(START, params={"next": following})
        assert response.status_code == 400
        assert "location" not in response.headers


class TestAsPages:
    async def test_a_browser_is_shown_a_page_that_runs_nothing(self, harbour: ControlPlane) -> None:
        ann = harbour.caller()
        state = query_of(await sent_away(ann))["state"]
        query = {"state": state, "error": "<script>alert(1)</script>"}
        response = await ann.http.get(CALLBACK, params=query, headers={"Accept": "text/html,*/*"})
        assert (response.status_code, response.headers["content-type"]) == (403, "text/html; charset=utf-8")
        assert "&lt;script&gt;" in response.text
        assert "<script" not in response.text
        assert response.headers["content-security-policy"].startswith("default-src 'none'")

    async def test_ways_to_log_in_are_told_to_everybody(self, harbour: ControlPlane) -> None:
        told = await harbour.caller().get("/sessions/ways")
        assert told == {"passwords": True, "oidc": {"label": "Single sign-on", "start": START}}

    async def test_without_a_provider_there_is_nowhere_to_go(self, control: ControlPlane) -> None:
        assert await control.caller().get("/sessions/ways") == {"passwords": True, "oidc": None}
        for path in ("start", "callback"):
            error = await control.caller().get(f"/sessions/oidc/{path}", status=404)
            assert "No identity provider" in error["message"]


class TestSettings:
    async def test_passwords_can_be_switched_off(
        self, database: Database, provider: IdentityProvider, tmp_path: Path, control: ControlPlane
    ) -> None:
        await control.user("bea")
        provider.has(ann=["harbour"], bob=[])
        settings = settings_for(provider.issuer, tmp_path / "secret", passwords=False, **MAPPING)
        without = control_with(database, settings)
        bea, ann = without.caller(), without.caller()
        error = await bea.log_in("bea", PASSWORD, status=403)
        assert START in error["hint"]
        assert not (await bea.get("/sessions/ways"))["passwords"]
        response = await log_in(ann, "ann")
        assert response.status_code == 302, response.text
        assert (await ann.get("/me"))["is_platform_admin"]
        await without.__aexit__(None, None, None)

    async def test_behind_https_cookies_are_sent_there_only(
        self, database: Database, provider: IdentityProvider, tmp_path: Path
    ) -> None:
        settings = settings_for(provider.issuer, tmp_path / "secret", public_url="https://control/")
        control = control_with(database, settings)
        response = await control.caller().http.get(START)
        assert "Secure" in response.headers["set-cookie"]
        assert query_of(response.headers["location"])["redirect_uri"] == f"https://control{CALLBACK}"
        await control.__aexit__(None, None, None)

    async def test_a_wrong_secret_of_the_client_is_said_to_be_that(
        self, database: Database, provider: IdentityProvider, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        provider.has(ann=[], bob=[])
        settings = settings_for(provider.issuer, tmp_path / "secret")
        (tmp_path / "secret").write_text("a-wrong-one")
        async with control_with(database, settings) as control:
            response = await log_in(control.caller(), "ann")
        assert response.status_code == 503
        assert "client id and secret" in response.json()["error"]["message"]
        said = response.text + "".join(capfd.readouterr())
        assert "a-wrong-one" not in said
        assert CLIENT_SECRET not in said

    async def test_a_provider_that_is_away_is_no_fault_of_ours(self, database: Database, tmp_path: Path) -> None:
        async with control_with(database, settings_for("http://127.0.0.1:1", tmp_path / "secret")) as control:
            error = await control.caller().get("/sessions/oidc/start", status=503)
            assert "is not answered" in error["message"]
            assert "Try again" in error["hint"]
            page = await control.caller().http.get(START, headers={"Accept": "text/html"})
            assert (page.status_code, "Try again" in page.text) == (503, True)
            await control.admin.get("/me")

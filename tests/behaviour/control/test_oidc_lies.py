"""What is not believed of an identity provider, or of somebody who plays one; and what real ones differ in."""

from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest

from boathouse.control.database import Database
from tests.behaviour.control.control_plane import Caller, ControlPlane
from tests.behaviour.control.lying_provider import LyingProvider, lying_provider, new_key
from tests.behaviour.control.oidc_logins import CALLBACK, START, control_with, query_of, settings_for
from tests.identity_provider.provider import CLIENT_SECRET

OTHER = new_key()


@pytest.fixture(autouse=True)
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")


@pytest.fixture
def liar() -> Generator[LyingProvider]:
    with lying_provider() as provider:
        yield provider


@dataclass(frozen=True)
class Believer:
    control: ControlPlane
    provider: LyingProvider

    async def log_in(self) -> tuple[Caller, httpx.Response]:
        caller = self.control.caller()
        sent = query_of((await caller.http.get(START)).headers["location"])
        self.provider.nonce = sent["nonce"]
        return caller, await caller.http.get(CALLBACK, params={"state": sent["state"], "code": "c"})

    async def refuses(self) -> str:
        caller, response = await self.log_in()
        assert response.status_code == 401, response.text
        await caller.get("/me", status=401)
        assert [user["name"] for user in (await self.control.admin.get("/users"))["items"]] == ["admin"]
        return response.json()["error"]["message"]


@pytest.fixture
async def believer(database: Database, liar: LyingProvider, tmp_path: Path) -> AsyncGenerator[Believer]:
    settings = settings_for(liar.issuer, tmp_path / "secret", workspaces={"north": {"crew": "runner"}})
    async with control_with(database, settings) as control:
        await control.workspace("north")
        yield Believer(control, liar)


LIES: dict[str, Callable[[LyingProvider, dict[str, Any]], str]] = {
    "another login's": lambda by, said: by.signed({**said, "nonce": "other"}),
    "of no login": lambda by, said: by.signed({name: said[name] for name in said if name != "nonce"}),
    "for another client": lambda by, said: by.signed({**said, "aud": "other"}),
    "for several": lambda by, said: by.signed({**said, "aud": ["boathouse", "other"]}),
    "for another party": lambda by, said: by.signed({**said, "azp": "other"}),
    "of another issuer": lambda by, said: by.signed({**said, "iss": by.issuer + "/"}),
    "expired": lambda by, said: by.signed({**said, "exp": said["iat"] - 3600}),
    "never ending": lambda by, said: by.signed({name: said[name] for name in said if name != "exp"}),
    "of tomorrow": lambda by, said: by.signed({**said, "iat": said["iat"] + 86400}),
    "of nobody": lambda by, said: by.signed({**said, "sub": ""}),
    "of a long name": lambda by, said: by.signed({**said, "sub": "x" * 256}),
    "unsigned": lambda _, said: jwt.encode(said, "", algorithm="none"),
    "signed by the client's secret": lambda by, said: jwt.encode(
        said, CLIENT_SECRET.ljust(32), algorithm="HS256", headers={"kid": by.key_id}
    ),
    "signed by another": lambda by, said: jwt.encode(said, OTHER, algorithm="RS256", headers={"kid": by.key_id}),
    "of an unknown key": lambda _, said: jwt.encode(said, OTHER, algorithm="RS256", headers={"kid": "other"}),
    "no token": lambda _, __: "not.a.token",
}


@pytest.mark.parametrize("lie", LIES)
async def test_an_id_token_that_does_not_hold_lets_nobody_in(believer: Believer, lie: str) -> None:
    believer.provider.token = lambda said: LIES[lie](believer.provider, said)
    assert "cannot be trusted" in await believer.refuses()


async def test_the_same_without_a_lie_lets_in(believer: Believer) -> None:
    caller, response = await believer.log_in()
    assert response.status_code == 302, response.text
    assert (await caller.get("/me"))["name"] == "s-1"


async def test_a_provider_may_change_its_keys(believer: Believer) -> None:
    await believer.log_in()
    believer.provider.key, believer.provider.key_id = new_key(), "second"
    _, response = await believer.log_in()
    assert response.status_code == 302, response.text


async def test_groups_may_be_said_apart_from_the_token(believer: Believer) -> None:
    believer.provider.user_info = {"sub": "s-1", "groups": ["crew"], "name": "Cleo K."}
    caller, _ = await believer.log_in()
    assert (await caller.get("/me"))["display_name"] == "Cleo K."
    assert (await caller.get("/workspaces"))["items"][0]["role"] == "runner"


async def test_what_is_said_apart_must_be_about_the_same_person(believer: Believer) -> None:
    believer.provider.user_info = {"sub": "s-2", "groups": ["crew"]}
    assert "two people" in await believer.refuses()


@pytest.mark.parametrize("name", ["Cleo\0K.", "Cleo\ud800K."])
async def test_a_name_that_no_database_keeps_keeps_nobody_out(believer: Believer, name: str) -> None:
    believer.provider.user_info = {"sub": "s-1", "name": name}
    caller, _ = await believer.log_in()
    assert (await caller.get("/me"))["display_name"] == "Cleo\ufffdK."


async def test_an_address_that_nobody_verified_is_not_kept(believer: Believer) -> None:
    for verified, kept in ((False, None), (True, "cleo@example.org")):
        believer.provider.user_info = {"sub": "s-1", "email": "cleo@example.org", "email_verified": verified}
        caller, _ = await believer.log_in()
        assert (await caller.get("/me"))["email"] == kept


async def test_the_secret_may_be_posted_where_the_provider_wants_that(believer: Believer) -> None:
    believer.provider.described = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    await believer.log_in()
    assert believer.provider.forms[-1]["client_secret"] == CLIENT_SECRET
    assert len(believer.provider.forms[-1]["code_verifier"]) >= 43


@pytest.mark.parametrize(
    ("described", "reason"),
    [
        ({"issuer": "https://elsewhere.example.org"}, "calls itself"),
        ({"token_endpoint": "http://elsewhere.example.org/token"}, "not all its addresses are https"),
        ({"jwks_uri": None}, "lacks jwks_uri"),
    ],
)
async def test_a_description_that_does_not_fit_is_not_used(
    believer: Believer, described: dict[str, Any], reason: str
) -> None:
    believer.provider.described = described
    error = await believer.control.caller().get("/sessions/oidc/start", status=503)
    assert reason in error["message"]

"""Logging in by an identity provider, as a browser does it."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from boathouse.control.database import Database
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.options import ApiOptions
from tests.behaviour.control.control_plane import Caller, ControlPlane
from tests.identity_provider.provider import CLIENT, CLIENT_SECRET, log_in_at_provider

START = "/api/v1/sessions/oidc/start"
CALLBACK = "/api/v1/sessions/oidc/callback"
REDIRECT_URI = f"http://control{CALLBACK}"


def settings_for(issuer: str, secret: Path, **more: Any) -> OidcSettings:
    secret.write_text(CLIENT_SECRET + "\n")
    told = {
        "issuer": issuer,
        "client_id": CLIENT,
        "client_secret": {"file": secret},
        "public_url": "http://control",
        "name_claim": "sub",
    }
    return OidcSettings.model_validate(told | more)


def control_with(database: Database, settings: OidcSettings) -> ControlPlane:
    return ControlPlane(database, options=ApiOptions(oidc=settings))


async def sent_away(caller: Caller, following: str = "/") -> str:
    """Where the browser is sent to log in."""
    response = await caller.http.get(START, params={"next": following})
    assert response.status_code == 302, response.text
    return response.headers["location"]


async def sent_back(caller: Caller, user: str) -> str:
    """The address that the provider sends the browser back to."""
    return await log_in_at_provider(await sent_away(caller), user)


async def log_in(caller: Caller, user: str, following: str = "/") -> httpx.Response:
    """The last answer of a login; who is let in can go on as that caller."""
    back = await log_in_at_provider(await sent_away(caller, following), user)
    response = await caller.http.get(back)
    if response.status_code == 302:
        caller.http.headers["X-Boathouse-CSRF"] = caller.http.cookies["boathouse_csrf"]
    return response


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}

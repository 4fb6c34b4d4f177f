"""A catalog that knows its callers by tokens, and a clock that tests can move."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from boathouse.catalog.access.gatekeeper import LOOK_AGAIN_SECONDS, Entitlement, Gatekeeper
from boathouse.catalog.access.grants import Grant
from boathouse.catalog.access.principals import Issued, Principals
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.access.signing_keys import SigningKeys
from boathouse.catalog.api.app import create_app
from boathouse.catalog.api.auth import IssuedTokens
from tests.behaviour.catalog.http_catalog import HttpCatalog

LIFETIME = 600
LAKE = Securable("lake")
NS = Securable("lake", ("ns",))
TABLE = Securable("lake", ("ns",), "t")
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


class GuardedCatalog(HttpCatalog):
    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.now = 1_800_000_000.0
        self.principals = Principals(self.store, self.clock)
        self.keys = SigningKeys(self.store, self.clock)
        self.gatekeeper = Gatekeeper(self.principals, self.keys, LIFETIME, self.clock, self.clock)
        self.app = create_app(self.store, {"lake": self.catalog, "pond": self.catalog}, IssuedTokens(self.gatekeeper))
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://catalog")

    def clock(self) -> float:
        return self.now

    def a_moment_later(self) -> None:
        """Until what changed in the store is felt."""
        self.now += LOOK_AGAIN_SECONDS

    async def principal(self, name: str, *grants: tuple[Privilege, Securable]) -> Issued:
        issued = await self.principals.create(name)
        for privilege, securable in grants:
            await self.principals.grant(name, Grant(securable, privilege))
        return issued

    async def become(self, name: str) -> str:
        """Bring this principal's token from now on."""
        token = await self.gatekeeper.issue(Entitlement(await self.principals.get(name), 1))
        self.http.headers["Authorization"] = f"Bearer {token}"
        return token

    async def caller(self, name: str, *grants: tuple[Privilege, Securable]) -> Issued:
        issued = await self.principal(name, *grants)
        await self.become(name)
        return issued

    async def hold(self, name: str, *grants: tuple[Privilege, Securable]) -> None:
        """Let the principal hold these grants and no others."""
        for held in (await self.principals.get(name)).grants:
            await self.principals.revoke(name, held)
        for privilege, securable in grants:
            await self.principals.grant(name, Grant(securable, privilege))
        self.a_moment_later()

    async def ask(self, form: Mapping[str, str], **options: Any) -> httpx.Response:
        """Ask for a token, without one."""
        headers = {"Authorization": "", **options.pop("headers", {})}
        return await self.http.post("/v1/oauth/tokens", data=dict(form), headers=headers, **options)

    async def log_in(self, issued: Issued, **more: str) -> httpx.Response:
        form = {"grant_type": "client_credentials", "client_id": issued.principal.name, "client_secret": issued.secret}
        return await self.ask(form | more)

    async def exchange(self, token: str, **more: str) -> httpx.Response:
        form = {"grant_type": EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
        return await self.ask(form | more)

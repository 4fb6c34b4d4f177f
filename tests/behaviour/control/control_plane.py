"""A control plane as tests talk to it: callers with cookies or tokens, and what they are answered."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx
from fastapi import FastAPI
from sqlalchemy import update

from boathouse.control.app import create_app
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import Connections
from boathouse.control.database import Database
from boathouse.control.http.routers import API
from boathouse.control.options import ApiOptions
from boathouse.control.runs.results import Results
from boathouse.control.users.models import User
from boathouse.control.users.service import first_admin
from boathouse.control.vault import Keyring, Vault

Json = Any
PASSWORD = "a lantern by the pier"


class Caller:
    """Somebody with a connection of their own."""

    def __init__(self, app: FastAPI, headers: Mapping[str, str] | None = None, address: str = "10.0.0.1") -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50_000))
        self.http = httpx.AsyncClient(transport=transport, base_url="http://control", headers=headers)

    async def ask(self, method: str, path: str, body: Json = None, status: int = 200, **options: Any) -> Json:
        """The answer's JSON; of a refusal, the error."""
        response = await self.http.request(method, API + path, json=body, **options)
        assert response.status_code == status, f"{response.status_code}: {response.text}"
        if not response.content:
            return None
        told = response.json()
        return told["error"] if status >= 400 else told

    async def get(self, path: str, **options: Any) -> Json:
        return await self.ask("GET", path, **options)

    async def post(self, path: str, body: Json = None, status: int = 201, **options: Any) -> Json:
        return await self.ask("POST", path, body, status, **options)

    async def log_in(self, name: str, password: str = PASSWORD, status: int = 200) -> Json:
        told = await self.post("/login", {"name": name, "password": password}, status=status)
        if status == 200:
            self.http.headers["X-Boathouse-CSRF"] = told["csrf"]
        return told


class ControlPlane:
    """`admin` is logged in; `user` makes others, who come by token."""

    def __init__(
        self, database: Database, places: SecretPlaces | None = None, options: ApiOptions | None = None
    ) -> None:
        self.database = database
        self.keyring = Keyring("1", {"1": b"k" * 32})
        connections = Connections(Vault(self.keyring), places or SecretPlaces(None, {}))
        self.app = create_app(database, connections, Results("file:///nowhere"), options)
        self._callers: list[Caller] = []

    async def __aenter__(self) -> Self:
        self.first_password = await first_admin(self.database) or ""
        self.admin = self.caller()
        self.told_at_login = await self.admin.log_in("admin", self.first_password)
        # As if they had set one of their own, which takes its time.
        async with self.database.changing() as session:
            await session.execute(update(User).values(must_change_password=False))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for caller in self._callers:
            await caller.http.aclose()

    def caller(self, token: str | None = None, address: str = "10.0.0.1") -> Caller:
        caller = Caller(self.app, {"Authorization": f"Bearer {token}"} if token else None, address)
        self._callers.append(caller)
        return caller

    async def user(self, name: str, **roles: str) -> Caller:
        """A user, logged in, with a role in each of the workspaces named."""
        await self.admin.post("/users", {"name": name, "password": PASSWORD})
        for workspace, role in roles.items():
            path = f"/workspaces/{workspace.replace('_', '-')}/members/{name}"
            await self.admin.ask("PUT", path, {"role": role})
        caller = self.caller()
        await caller.log_in(name)
        return caller

    async def workspace(self, name: str) -> Json:
        return await self.admin.post("/workspaces", {"name": name})

"""A catalog on a directory, spoken to over HTTP without a network in between."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from starlette.applications import Starlette

from boathouse.catalog.api.app import create_app
from boathouse.catalog.api.auth import StaticToken
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.store import Store
from boathouse.catalog.store.sqlite import SqliteStore
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.objects import open_store

Json = dict[str, Any]
TOKEN = "let me in"
SCHEMA: Json = {
    "type": "struct",
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "day", "required": False, "type": "date"},
    ],
}


class HttpCatalog:
    def __init__(self, directory: Path, store: Store | None = None) -> None:
        self.root = directory / "lake"
        self.url = f"file://{self.root}"
        self.store = store or SqliteStore(directory / "state.db")
        self.catalog = Catalog.over(self.store, Warehouse.at("lake", self.url, open_store(self.url)))
        self.app: Starlette = create_app(self.store, {"lake": self.catalog}, StaticToken(TOKEN))
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app),
            base_url="http://catalog",
            headers={"Authorization": f"Bearer {TOKEN}"},
        )

    async def close(self) -> None:
        await self.catalog.purging.finished()
        await self.http.aclose()
        await self.store.close()

    async def call(self, method: str, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return await self.http.request(method, f"/v1/lake{path}", json=json, **options)

    async def ok(self, method: str, path: str, json: Any = None, **options: Any) -> Json:
        response = await self.call(method, path, json, **options)
        assert response.is_success, response.text
        return response.json() if response.content else {}

    async def refused(self, status: int, method: str, path: str, json: Any = None, **options: Any) -> Json:
        """The error of a request that is refused with this status. Every error has the specified form."""
        response = await self.call(method, path, json, **options)
        assert response.status_code == status, response.text
        if method == "HEAD":
            return {}
        error = response.json()["error"]
        assert error["code"] == status
        assert error["type"]
        assert "Traceback" not in response.text
        return error

    async def namespace(self, *levels: str, **properties: str) -> None:
        await self.ok("POST", "/namespaces", {"namespace": levels, "properties": properties})

    async def table(self, name: str = "t", namespace: Sequence[str] = ("ns",), **request: Any) -> Json:
        body = {"name": name, "schema": SCHEMA, **request}
        return await self.ok("POST", f"{path_of(*namespace)}/tables", body)

    async def stage(self, name: str = "t") -> Json:
        """The metadata of a table that is not created yet."""
        body = {"name": name, "schema": SCHEMA, "stage-create": True}
        return await self.ok("POST", f"{path_of('ns')}/tables", body)

    async def load(self, name: str = "t", namespace: Sequence[str] = ("ns",)) -> Json:
        return await self.ok("GET", table_path(name, *namespace))

    async def view(self, name: str = "v", namespace: Sequence[str] = ("ns",), **request: Any) -> Json:
        return await self.ok("POST", f"{path_of(*namespace)}/views", new_view(name, **request))

    async def set_property(self, key: str, value: str, name: str = "t", **options: Any) -> httpx.Response:
        return await self.call("POST", table_path(name), commit(set_properties(**{key: value})), **options)

    def files(self, below: str = "") -> list[str]:
        """What lies in storage, relative to the warehouse."""
        return sorted(str(path.relative_to(self.root)) for path in (self.root / below).rglob("*") if path.is_file())


def path_of(*levels: str) -> str:
    return f"/namespaces/{quote(chr(0x1F).join(levels), safe='')}"


def table_path(name: str, *levels: str) -> str:
    return f"{path_of(*(levels or ('ns',)))}/tables/{quote(name, safe='')}"


def view_path(name: str, *levels: str) -> str:
    return f"{path_of(*(levels or ('ns',)))}/views/{quote(name, safe='')}"


def view_version(sql: str, dialect: str = "spark") -> Json:
    return {
        "version-id": 1,
        "timestamp-ms": 1_700_000_000_000,
        "schema-id": 0,
        "summary": {"engine-name": "spark"},
        "default-namespace": ["ns"],
        "representations": [{"type": "sql", "sql": sql, "dialect": dialect}],
    }


def new_view(name: str, **request: Any) -> Json:
    return {"name": name, "schema": SCHEMA, "view-version": view_version("SELECT 1"), "properties": {}, **request}


def replacement(sql: str) -> list[Json]:
    """The updates with which a view gets another query."""
    return [
        {"action": "add-view-version", "view-version": view_version(sql)},
        {"action": "set-current-view-version", "view-version-id": -1},
    ]


def renaming(source: Sequence[str], target: Sequence[str]) -> Json:
    """From and to a name, each with the levels of its namespace before it."""
    ends = {"source": source, "destination": target}
    return {end: {"namespace": list(name[:-1]), "name": name[-1]} for end, name in ends.items()}


def set_properties(**properties: str) -> Json:
    return {"action": "set-properties", "updates": properties}


def commit(*updates: Json, requirements: Sequence[Json] = ()) -> Json:
    return {"requirements": list(requirements), "updates": list(updates)}


def change(name: str, *updates: Json, requirements: Sequence[Json] = (), namespace: Sequence[str] = ("ns",)) -> Json:
    identifier = {"namespace": list(namespace), "name": name}
    return {"identifier": identifier, **commit(*updates, requirements=requirements)}


def creation(location: str | None = None) -> list[Json]:
    """The updates with which a transaction creates a table."""
    where = [{"action": "set-location", "location": location}] if location else []
    return [
        {"action": "assign-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0007"},
        {"action": "upgrade-format-version", "format-version": 2},
        {"action": "add-schema", "schema": SCHEMA},
        {"action": "set-current-schema", "schema-id": -1},
        {"action": "add-spec", "spec": {"spec-id": 0, "fields": []}},
        {"action": "set-default-spec", "spec-id": -1},
        {"action": "add-sort-order", "sort-order": {"order-id": 0, "fields": []}},
        {"action": "set-default-sort-order", "sort-order-id": -1},
        *where,
    ]


def append(snapshot_id: int, sequence: int, parent: int | None = None) -> list[Json]:
    """The updates of an append to main."""
    snapshot: Json = {
        "snapshot-id": snapshot_id,
        "sequence-number": sequence,
        "timestamp-ms": 1_700_000_000_000 + sequence,
        "manifest-list": f"file:///nowhere/snap-{snapshot_id}.avro",
        "summary": {"operation": "append"},
    }
    if parent is not None:
        snapshot["parent-snapshot-id"] = parent
    return [
        {"action": "add-snapshot", "snapshot": snapshot},
        {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": snapshot_id},
    ]


def main_at(snapshot_id: int | None) -> Json:
    return {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": snapshot_id}

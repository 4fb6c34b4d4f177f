"""Catalogs behind connections that are not as a catalog should be: what viewers are told then, and who is held up."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from boathouse.control.connections.references import SecretPlaces
from boathouse.control.database import Database
from tests.behaviour.control.control_plane import Caller, ControlPlane, Json
from tests.behaviour.control.spoken_protocols import Answer, Spoken, spoken

NORTH = "/workspaces/north"
DATASETS = f"{NORTH}/datasets"
TOKEN = "the-shared-token"
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


class Echo(Spoken):
    """Says in what it refuses what it was sent, as it read it."""

    status: ClassVar[int] = 401

    def answer(self, method: str, path: str, body: str) -> Answer:
        message = f"No rights with {self.headers['Authorization']}"
        return self.status, {}, json.dumps({"error": {"message": message}})


class FailingEcho(Echo):
    status = 500


@pytest.fixture
def variables() -> dict[str, str]:
    return {"BOATHOUSE_SECRET_NORTH__CATALOG": f"{TOKEN}\n"}


@pytest.fixture
async def control(database: Database, variables: dict[str, str]) -> AsyncGenerator[ControlPlane]:
    async with ControlPlane(database, SecretPlaces(None, variables)) as control:
        await control.workspace("north")
        yield control


async def connect(control: ControlPlane, uri: str, token: Json = TOKEN, workspace: str = "north") -> None:
    """A connection to a catalog, and a dataset that it is said to have."""
    place = f"/workspaces/{workspace}"
    connection = {"name": "partner", "kind": "iceberg-rest", "config": {"uri": uri}, "secrets": {"token": token}}
    await control.admin.post(f"{place}/connections", connection)
    await control.admin.post(f"{place}/datasets", {"name": "a.b", "connection": "partner"})


async def answers(viewer: Caller, editor: Caller) -> dict[str, tuple[int, str]]:
    """Of everything that asks the catalog."""
    sync = await editor.http.post(f"/api/v1{DATASETS}/sync", json={"connection": "partner"})
    paths = (f"{DATASETS}/a.b/table", f"{DATASETS}/a.b/files", f"{NORTH}/tables-in-need")
    told = {path: await viewer.http.get(f"/api/v1{path}") for path in paths} | {"sync": sync}
    return {name: (answer.status_code, answer.text) for name, answer in told.items()}


class TestTokens:
    @pytest.mark.parametrize("server", [Echo, FailingEcho])
    @pytest.mark.parametrize("token", [TOKEN, f"{TOKEN}\n", "töken-of-all", {"env": "BOATHOUSE_SECRET_NORTH__CATALOG"}])
    async def test_none_is_told_by_a_catalog_that_repeats_it(
        self, control: ControlPlane, server: type[Spoken], token: Json
    ) -> None:
        viewer, editor = await control.user("ann", north="viewer"), await control.user("bob", north="editor")
        with spoken(server) as uri:
            await connect(control, uri, token)
            told = await answers(viewer, editor)
        for name, (status, text) in told.items():
            assert status == 200 or 400 <= status <= 403 or status == 503, (name, status, text)
            assert not any(part in text for part in (TOKEN, "ken-of-all")), (name, text)

    async def test_the_line_that_ends_what_holds_it_is_no_part_of_it(self, control: ControlPlane) -> None:
        class Known(Spoken):
            def answer(self, method: str, path: str, body: str) -> Answer:
                known = self.headers["Authorization"] == f"Bearer {TOKEN}"
                return 200 if known else 401, {}, json.dumps({"namespaces": []})

        with spoken(Known) as uri:
            await connect(control, uri, {"env": "BOATHOUSE_SECRET_NORTH__CATALOG"})
            await control.admin.post(f"{DATASETS}/sync", {"connection": "partner"}, status=200)


def catalog_of(**answers: Json) -> type[Spoken]:
    """Answers by the last part of the path; text as it is."""

    class Told(Spoken):
        def answer(self, method: str, path: str, body: str) -> Answer:
            told = answers.get(path.partition("?")[0].rpartition("/")[2], {})
            return 200, {}, told if isinstance(told, str) else json.dumps(told)

    return Told


NO_CATALOGS: list[Json] = [
    {"config": "<html>Welcome</html>"},
    {"config": []},
    {"config": {"overrides": "none"}},
    {"config": {"overrides": {"prefix": "\ud800"}}},
    {"namespaces": {}},
    {"namespaces": {"namespaces": ["sales"]}},
    {"namespaces": {"namespaces": [[]]}},
    {"namespaces": {"namespaces": [["sales", "\ud800"]]}},
    {"namespaces": {"namespaces": [], "next-page-token": 7}},
    {"namespaces": "[" * 100_000},
    {"namespaces": {"namespaces": [["sales"]]}, "tables": {"identifiers": [{"name": "orders"}]}},
]
ENDLESS: list[Json] = [
    {"namespaces": {"namespaces": [], "next-page-token": "again"}},
    {
        "namespaces": {"namespaces": [["sales"]]},
        "tables": {"identifiers": []},
        "views": {"identifiers": []},
    },
]


class TestListings:
    @pytest.mark.parametrize("answers", [{"config": {"defaults": None}, "namespaces": {"namespaces": []}}])
    async def test_what_is_left_out_of_a_configuration_is_nothing(self, control: ControlPlane, answers: Json) -> None:
        with spoken(catalog_of(**answers)) as uri:
            await connect(control, uri)
            await control.admin.post(f"{DATASETS}/sync", {"connection": "partner"}, status=200)

    @pytest.mark.parametrize("answers", NO_CATALOGS)
    async def test_what_is_no_catalog_is_said_to_be_none(self, control: ControlPlane, answers: Json) -> None:
        with spoken(catalog_of(**answers)) as uri:
            await connect(control, uri)
            error = await control.admin.post(f"{DATASETS}/sync", {"connection": "partner"}, status=503)
        assert "is nothing that a catalog says" in error["message"]
        entries = (await control.admin.get("/audit", params={"action": "dataset.sync"}))["items"]
        assert [entry["result"] for entry in entries] == ["unavailable"]

    @pytest.mark.parametrize("answers", ENDLESS)
    async def test_one_without_an_end_is_not_followed_for_ever(self, control: ControlPlane, answers: Json) -> None:
        with spoken(catalog_of(**answers)) as uri:
            await connect(control, uri)
            error = await control.admin.post(f"{DATASETS}/sync", {"connection": "partner"}, status=503)
        assert "has no end" in error["message"]

    async def test_metadata_that_nobody_can_follow_is_said_to_be_none(self, control: ControlPlane) -> None:
        deep: Json = "long"
        for _ in range(900):
            deep = {"type": "list", "element-id": 1, "element": deep, "element-required": False}
        field = {"id": 1, "name": "a", "required": False, "type": deep}
        schemas = [{"schema-id": 0, "type": "struct", "fields": [field]}]
        metadata = {"table-uuid": "u", "location": "s3://b/t", "current-schema-id": 0, "schemas": schemas}
        with spoken(catalog_of(b={"metadata": metadata})) as uri:
            await connect(control, uri)
            answer = await control.admin.http.get(f"/api/v1{DATASETS}/a.b/table")
        assert answer.status_code < 500, answer.text


VENDED: Json = {
    "s3.access-key-id": "key",
    "s3.secret-access-key": "secret",
    "s3.endpoint": "http://127.0.0.1:1",
    "s3.region": "here",
}
SNAPSHOT: Json = {
    "snapshot-id": 1,
    "timestamp-ms": 1,
    "summary": {"operation": "append"},
    "manifest-list": "s3://bucket/list.avro",
}


@pytest.mark.parametrize(
    "given",
    [
        {"s3.endpoint": "not a url"},
        {"s3.endpoint": "http://"},
        {"s3.endpoint": "http://127.0.0.1:99999"},
        {"s3.region": "\n"},
        {"s3.access-key-id": "a\nb"},
        {"s3.session-token": "\ud800"},
    ],
)
async def test_a_store_that_cannot_be_one_is_refused(control: ControlPlane, given: Json) -> None:
    metadata = {"current-snapshot-id": 1, "snapshots": [SNAPSHOT]}
    with spoken(catalog_of(b={"metadata": metadata, "config": {**VENDED, **given}})) as uri:
        await connect(control, uri)
        error = await control.admin.get(f"{DATASETS}/a.b/files", status=400)
    assert "cannot be" in error["message"]


@dataclass
class Silent:
    """Takes calls and answers none, until it is told to end."""

    called: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    over: asyncio.Event = field(default_factory=asyncio.Event)
    uri: str = ""

    async def take(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.called.release()
        await self.over.wait()
        writer.close()


@asynccontextmanager
async def silent() -> AsyncGenerator[Silent]:
    catalog = Silent()
    async with await asyncio.start_server(catalog.take, "127.0.0.1") as server:
        catalog.uri = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield catalog
        catalog.over.set()


async def test_one_that_hangs_holds_up_only_who_waits_for_it(control: ControlPlane) -> None:
    await control.user("ann")
    await control.workspace("south")
    async with silent() as hanging:
        await connect(control, hanging.uri)
        # More than the loop has threads, and more than a workspace has turns.
        paths = [*[f"{DATASETS}/a.b/table"] * 40, f"{NORTH}/tables-in-need"]
        asked = [asyncio.create_task(control.admin.http.get(f"/api/v1{path}")) for path in paths]
        for _ in range(16):
            await hanging.called.acquire()
        await control.caller().log_in("ann")
        assert await control.admin.get("/workspaces/south/tables-in-need") == {"items": [], "looked_at": 0, "tables": 0}
        with spoken(catalog_of(namespaces={"namespaces": []})) as uri:
            await connect(control, uri, workspace="south")
            await control.admin.post("/workspaces/south/datasets/sync", {"connection": "partner"}, status=200)
        assert not any(task.done() for task in asked)
        hanging.over.set()
        assert {answer.status_code for answer in await asyncio.gather(*asked)} <= {200, 503}

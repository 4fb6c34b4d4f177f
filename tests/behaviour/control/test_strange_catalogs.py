"""Catalogs behind connections that are not as a catalog should be: what viewers are told then, and who is held up."""

import json
from collections.abc import AsyncGenerator
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


async def connect(control: ControlPlane, uri: str, token: Json = TOKEN) -> None:
    """A connection to a catalog, and a dataset that it is said to have."""
    connection = {"name": "partner", "kind": "iceberg-rest", "config": {"uri": uri}, "secrets": {"token": token}}
    await control.admin.post(f"{NORTH}/connections", connection)
    await control.admin.post(DATASETS, {"name": "a.b", "connection": "partner"})


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

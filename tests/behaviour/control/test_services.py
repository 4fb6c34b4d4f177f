"""How the services are that the control plane can see."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pydantic import SecretStr

from boathouse.control.database import Database
from boathouse.control.options import ApiOptions
from boathouse.control.services import watch as watching
from boathouse.control.services.probes import Probe
from boathouse.control.services.schemas import ServiceState
from boathouse.control.services.watch import Watch
from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess, SparkAccess
from boathouse.kit.errors import Unavailable
from tests.behaviour.control.control_plane import ControlPlane, Json

SECRET = SecretStr("a-token-that-nobody-may-see")


def nobody() -> str:
    """An address of this machine where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a lakehouse none of whose parts answers."""
    LakeAccess(
        object_store=ObjectStoreAccess(
            endpoint=f"http://{nobody()}", region="us-east-1", bucket="lake", access_key=SECRET, secret_key=SECRET
        ),
        catalog=CatalogAccess(uri=f"http://{nobody()}", warehouse="lake", token=SECRET),
        spark=SparkAccess(remote=f"sc://{nobody()}", token=SECRET, catalog="lake"),
    ).save(tmp_path)
    return tmp_path


@pytest.fixture
async def beside_lake(database: Database, home: Path) -> AsyncGenerator[ControlPlane]:
    async with ControlPlane(database, options=ApiOptions(lake=home)) as control:
        yield control


def by_name(told: list[Json]) -> dict[str, Json]:
    return {one["name"]: one for one in told}


async def test_whoever_is_logged_in_sees_the_database_and_that_there_is_no_worker(control: ControlPlane) -> None:
    ann = await control.user("ann")
    told = by_name(await ann.get("/services"))
    assert set(told) == {"database", "workers"}
    assert told["database"]["state"] == "well"
    assert told["workers"]["state"] == "failing"
    assert "no run begins" in told["workers"]["message"]
    assert "boathouse worker" in told["workers"]["hint"]


async def test_parts_of_the_lakehouse_that_do_not_answer_say_so_and_tell_no_secret(beside_lake: ControlPlane) -> None:
    told = await beside_lake.admin.get("/services")
    assert SECRET.get_secret_value() not in str(told)
    failing = {one["name"]: one["hint"] for one in told if one["state"] == "failing"}
    assert {"catalog", "object-store", "spark"} <= set(failing)
    assert "boathouse logs spark" in failing["spark"]


async def test_a_lakehouse_that_is_not_started_is_told_with_how_to_start_it(
    beside_lake: ControlPlane, home: Path
) -> None:
    LakeAccess.path(home).unlink()
    catalog = by_name(await beside_lake.admin.get("/services"))["catalog"]
    assert catalog["state"] == "failing"
    assert "is not running" in catalog["message"]


async def test_a_service_is_asked_once_however_many_ask_and_since_when_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, wrong = 0, False

    async def ask() -> str:
        nonlocal calls
        calls += 1
        if wrong:
            raise Unavailable("It is away.", hint="Call it back.")
        return "here"

    watch = Watch([Probe("one", "One", ask)])
    first, *_ = await asyncio.gather(*(watch.told() for _ in range(20)))
    assert (calls, first[0].message) == (1, "here")
    monkeypatch.setattr(watching, "_FRESH_FOR", 0.0)
    watch = Watch([Probe("one", "One", ask)])
    [well] = await watch.told()
    [still] = await watch.told()
    assert still.since == well.since < still.asked_at
    wrong = True
    [ill] = await watch.told()
    assert (ill.state, ill.message, ill.hint, ill.since) == (
        ServiceState.FAILING,
        "It is away.",
        "Call it back.",
        ill.asked_at,
    )


async def test_one_that_hangs_holds_nobody_up_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang() -> str:
        await asyncio.sleep(60)
        return "never"

    monkeypatch.setattr(watching, "_PATIENCE", 0.05)
    [told] = await Watch([Probe("one", "One", hang)]).told()
    assert (told.state, told.message) == (ServiceState.FAILING, "No answer in 0.05 seconds.")

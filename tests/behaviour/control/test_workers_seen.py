"""Which workers there are: written down by themselves, told in full to platform admins only, and forgotten in time."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from boathouse.control.database.base import now
from boathouse.control.worker.chores import chores_of
from boathouse.control.workers import service
from boathouse.control.workers.models import WorkerSeen
from boathouse.control.workers.service import Presence
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import Work


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


def presence(work: Work, name: str) -> Presence:
    return Presence(work.database, name, "pier", 42, 4, started_at=now())


async def let_pass(work: Work, name: str, time: timedelta) -> None:
    async with work.database.changing() as session:
        await session.execute(update(WorkerSeen).where(WorkerSeen.id == name).values(seen_at=now() - time))


async def test_an_admin_sees_each_with_what_it_has(work: Work) -> None:
    for name in ("w1", "w2"):
        await presence(work, name).show()
        await presence(work, name).show()
    await work.job()
    await work.submit()
    claim = await claimed(work.worker("w1"))
    told = await work.caller.get("/workers")
    assert (told["workers"], told["slots"], told["running"]) == (2, 8, 1)
    first, second = told["items"]
    assert (first["id"], first["host"], first["pid"], first["runs"]) == ("w1", "pier", 42, [claim.run_id])
    assert (second["runs"], second["is_silent"]) == ([], False)


async def test_others_see_how_many(work: Work) -> None:
    await presence(work, "w1").show()
    ann = await work.control.user("ann", north="admin")
    assert await ann.get("/workers") == {"workers": 1, "slots": 4, "running": 0, "items": None}


async def test_one_that_is_silent_is_marked_then_forgotten_and_one_that_leaves_is_gone_at_once(work: Work) -> None:
    for name in ("w1", "w2"):
        await presence(work, name).show()
    await let_pass(work, "w1", service.SILENT_AFTER + timedelta(seconds=30))
    told = await work.caller.get("/workers")
    assert (told["workers"], {one["id"]: one["is_silent"] for one in told["items"]}) == (1, {"w1": True, "w2": False})
    await let_pass(work, "w1", timedelta(hours=2))
    for chore in chores_of(work.worker("w2"), presence(work, "w2"), list):
        assert await chore.done()
    assert [one["id"] for one in (await work.caller.get("/workers"))["items"]] == ["w2"]
    await presence(work, "w2").leave()
    assert (await work.caller.get("/workers"))["items"] == []

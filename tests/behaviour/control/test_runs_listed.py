"""The list of runs says of each what is said of it alone."""

from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import update

from boathouse.control.http.paging import Page
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import RUNS, Work

WHOLE_SECOND = datetime.fromisoformat("2026-01-31T03:04:05+00:00")


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


async def _history(work: Work) -> list[Any]:
    """A run that waits, one that failed, and one that left rows and figures; the newest first."""
    await work.job("daily", parameters=[{"name": "who", "type": "string", "default": 'it\'s "☂" \\ {}'}])
    worker = work.worker()
    for how in ("done", "failed", "waits"):
        run = await work.submit("daily", values={"who": f"{how} ☂"})
        if how == "waits":
            continue
        claim = await worker.claim()
        assert claim is not None
        await worker.begin(claim)
        await worker.beat(claim, progress={"tasks": 2, "tasks_done": 1}, timeline=[])
        if how == "done":
            await worker.succeed(claim, {"path": "p", "rows": 1, "columns": [{"name": "ü", "type": "int"}]})
            async with work.database.changing() as session:
                await session.execute(update(Run).where(Run.id == run["id"]).values(scheduled_for=WHOLE_SECOND))
        else:
            await worker.fail(claim, "KeyError: 'größe'")
    return (await work.caller.get(RUNS))["items"]


async def test_each_as_it_is_told_alone(work: Work) -> None:
    listed = await _history(work)
    assert [run["state"] for run in listed] == ["pending", "failed", "succeeded"]
    for told in listed:
        alone = await work.run(told)
        assert RunTold.model_validate(told) == RunTold.model_validate({name: alone[name] for name in told})
    assert "path" not in listed[-1]["result"]


async def test_it_is_what_the_api_describes(work: Work) -> None:
    listed = await _history(work)
    described = Page[RunTold](items=[RunTold.model_validate(run) for run in listed]).model_dump(mode="json")
    assert [set(run) for run in listed] == [set(run) for run in described["items"]]
    # Every time with its zone, or a browser would take it for its own.
    moments = [value for run in listed for name, value in run.items() if name.endswith(("_at", "_for")) and value]
    assert moments
    assert all(moment.endswith(("Z", "+00:00")) for moment in moments)


async def test_pages_go_on_where_the_one_before_ended(work: Work) -> None:
    listed = await _history(work)
    first = await work.caller.get(RUNS, params={"limit": 2})
    rest = await work.caller.get(RUNS, params={"limit": 2, "cursor": first["next"]})
    assert [*first["items"], *rest["items"]] == listed
    assert rest["next"] is None

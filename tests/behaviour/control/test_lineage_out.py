"""Lineage sent to others: runs as events of OpenLineage, to a real receiver of them."""

from collections.abc import Generator
from typing import Any

import pytest

from boathouse.control.jobs.touched import Touched
from boathouse.control.notifications.courier import Courier
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.test_notifications import CONNECTIONS, NOTIFICATIONS
from tests.behaviour.control.test_runs import claimed
from tests.behaviour.control.work import Work
from tests.receivers import SECRET, Receiver, lineage_receiver

MADE = Touched(reads=frozenset({"sales.orders"}), writes=frozenset({"sales.daily"}))


@pytest.fixture
def receiver() -> Generator[Receiver]:
    with lineage_receiver() as receiver:
        yield receiver


@pytest.fixture
async def work(control: ControlPlane, receiver: Receiver) -> Work:
    """With a rule `graph`, by which a receiver is told of all runs."""
    await control.workspace("north")
    work = Work(control)
    await _connection(work, "lineage", receiver.url)
    await work.caller.post(NOTIFICATIONS, {"name": "graph", "connection": "lineage"})
    await work.job()
    return work


async def _connection(work: Work, name: str, url: str, key: str = SECRET) -> None:
    given = {"name": name, "kind": "openlineage", "config": {"url": url}, "secrets": {"api_key": key}}
    await work.caller.post(CONNECTIONS, given)


async def _run(work: Work, error: str | None = None) -> Json:
    run = await work.submit()
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await (worker.fail(claim, error) if error else worker.succeed(claim, None, MADE))
    return run


async def _sent(work: Work, receiver: Receiver) -> list[Any]:
    courier = Courier(work.database, lambda: work.control.app.state.connections)
    while await courier.deliver_next():
        pass
    return sorted((body for _, body in receiver.got), key=lambda event: event["eventTime"])


async def test_a_run_is_told_when_it_begins_and_ends_with_what_it_read_and_wrote(
    work: Work, receiver: Receiver
) -> None:
    run = await _run(work)
    start, end = await _sent(work, receiver)
    assert (start["eventType"], end["eventType"]) == ("START", "COMPLETE")
    assert {event["run"]["runId"] for event in (start, end)} == {run["id"]}
    assert end["job"]["name"] == "daily"
    assert [one["name"] for one in end["inputs"]] == ["sales.orders"]
    assert [one["name"] for one in end["outputs"]] == ["sales.daily"]
    assert [start, end] == await work.caller.get(f"/workspaces/north/runs/{run['id']}/openlineage")


async def test_a_failure_is_told_with_its_reason(work: Work, receiver: Receiver) -> None:
    await _run(work, error="no oars")
    _, end = await _sent(work, receiver)
    assert (end["eventType"], end["run"]["facets"]["errorMessage"]["message"]) == ("FAIL", "no oars")


async def test_why_a_query_failed_is_for_who_asked_it_alone(work: Work, receiver: Receiver) -> None:
    query = await work.caller.post("/workspaces/north/queries", {"sql": "SELECT secret FROM sales.orders"})
    worker = work.worker()
    claim = await claimed(worker)
    await worker.begin(claim)
    await worker.fail(claim, "SELECT secret FROM sales.orders: no such column")
    _, end = await _sent(work, receiver)
    assert (end["eventType"], "secret" in str(end)) == ("FAIL", False)
    _, own = await work.caller.get(f"/workspaces/north/runs/{query['run_id']}/openlineage")
    assert "no such column" in own["run"]["facets"]["errorMessage"]["message"]


async def test_another_boathouse_takes_what_one_sends(work: Work, receiver: Receiver) -> None:
    await _run(work)
    await work.control.workspace("south")
    for event in await _sent(work, receiver):
        await work.caller.post("/workspaces/south/lineage", event)
    graph = await work.caller.get("/workspaces/south/lineage", params={"dataset": "boathouse://north/sales.daily"})
    names = {node["name"] for node in graph["nodes"]}
    assert names == {"daily", "boathouse://north/sales.orders", "boathouse://north/sales.daily"}


async def test_nothing_of_it_is_sent_to_webhooks_and_nothing_else_to_receivers_of_lineage(work: Work) -> None:
    given = {"url": "https://hooks.example.org"}
    await work.caller.post(
        CONNECTIONS, {"name": "hook", "kind": "webhook", "config": given, "secrets": {"secret": SECRET}}
    )
    made = await work.caller.post(NOTIFICATIONS, {"name": "all", "connection": "hook"})
    assert "lineage" not in made["events"]
    assert (await work.caller.get(f"{NOTIFICATIONS}/graph"))["events"] == ["lineage"]
    refused = await work.caller.post(
        NOTIFICATIONS, {"name": "both", "connection": "lineage", "events": ["run-failed"]}, status=400
    )
    assert refused["message"] == "A connection of the kind openlineage is not told of run-failed."
    changed = await work.caller.ask("PATCH", f"{NOTIFICATIONS}/all", {"events": ["lineage"]}, status=400)
    assert "is not told of lineage" in changed["message"]


async def test_a_test_asks_and_leaves_no_event_behind(work: Work, receiver: Receiver) -> None:
    told = await work.caller.post(f"{NOTIFICATIONS}/graph/test", status=200)
    assert told["ok"], told
    await _connection(work, "stranger", receiver.url, key="another")
    told = await work.caller.post(f"{CONNECTIONS}/stranger/test", status=200)
    assert (told["ok"], told["steps"][-1]["message"]) == (False, "The receiver of lineage answered 401.")
    assert receiver.got == []

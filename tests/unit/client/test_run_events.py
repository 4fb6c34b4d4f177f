"""What is said of a run while it is watched, and of a flow's tasks."""

from typing import Any

import pytest

from boathouse.client.client import ControlClient
from boathouse.client.flow_log import FlowLog, TaskSaid
from boathouse.client.runs import Became, Ended, LogLine
from boathouse.kit.errors import InvalidInput, Unavailable
from tests.unit.client.small_server import SmallServer

LINE = '{"at": "2026-01-02T03:04:05Z", "attempt": 1, "stream": "out", "text": "row"}'


def flow(state: str, *tasks: dict[str, Any]) -> dict[str, Any]:
    at = "2026-01-02T03:04:05Z"
    told = {"id": "f-1", "job": "trip", "version": 1, "kind": "flow", "values": {}, "trigger": "request"}
    told |= {"requested_by": "ann", "scheduled_for": None, "state": state, "attempt": 1, "created_at": at}
    told |= dict.fromkeys(("started_at", "ended_at", "error", "progress", "result"))
    runs = [{"name": "out", "kind": "sql", "job": None, "after": [], "run": {**told, **task}} for task in tasks]
    return {**told, "attempts": [], "tasks": runs}


def test_what_a_run_says_is_typed_and_what_nobody_knows_yet_is_left_out(
    server: SmallServer, client: ControlClient
) -> None:
    state, end = '{"state": "running", "attempt": 1, "error": null}', '{"state": "failed", "error": "no wind"}'
    events = {"state": state, "line": LINE, "weather": "{}", "end": end}
    server.sends("".join(f"event: {kind}\ndata: {data}\n\n" for kind, data in events.items()))
    became, line, ended = client.runs.watch("north", "r-1")
    assert isinstance(became, Became)
    assert isinstance(line, LogLine)
    assert (became.state, line.text) == ("running", "row")
    assert ended == Ended(state="failed", error="no wind")


def test_an_event_in_another_form_is_a_server_that_is_not_understood(
    server: SmallServer, client: ControlClient
) -> None:
    server.sends('event: line\ndata: {"said": "row"}\n\n')
    with pytest.raises(InvalidInput, match="not a control plane that this client understands"):
        next(client.runs.watch("north", "r-1"))


def test_a_flow_is_watched_over_a_server_that_is_away_for_a_while(server: SmallServer, client: ControlClient) -> None:
    pauses: list[float] = []
    server.tells(flow("running", {"id": "t-1", "state": "pending", "attempt": 0}))
    for _ in range(3):
        server.refuses(503, code="unavailable", message="It is being replaced.")
    server.tells(flow("succeeded", {"id": "t-1", "state": "succeeded"}))
    server.tells({"lines": [], "next": None, "complete": True})
    said = list(FlowLog(client.runs, "north", "f-1").watch(pause=pauses.append))
    states = [one.said.state for one in said if isinstance(one.said, Became)]
    assert states == ["pending", "succeeded"]
    assert said[0] == TaskSaid("out", Became(state="pending", attempt=0, error=None))
    assert len(pauses) == 2


def test_a_server_that_stays_away_is_told(
    server: SmallServer, client: ControlClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boathouse.client.flow_log.FRUITLESS", 1)
    for _ in range(2 * 3):
        server.refuses(503, code="unavailable", message="It is gone.")
    with pytest.raises(Unavailable, match="It is gone"):
        list(FlowLog(client.runs, "north", "f-1").watch(pause=lambda _: None))

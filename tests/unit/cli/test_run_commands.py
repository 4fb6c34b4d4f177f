"""Runs from the command line: how they are started, followed and read."""

from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from boathouse.cli.waiting import waiting
from boathouse.client.runs import Runs
from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer

AT = "2026-01-02T03:04:05.678901Z"
FLOW = {"id": "f-1", "job": "trip", "kind": "flow"}


def run(**more: Any) -> dict[str, Any]:
    """As the server tells one."""
    return {
        "id": "r-1",
        "job": "oars",
        "version": 1,
        "kind": "sql",
        "values": {},
        "trigger": "request",
        "requested_by": "ann",
        "scheduled_for": None,
        "state": "succeeded",
        "attempt": 1,
        "created_at": AT,
        "started_at": AT,
        "ended_at": AT,
        "error": None,
        "progress": None,
        "result": None,
        **more,
    }


def in_full(**more: Any) -> dict[str, Any]:
    return {**run(), "attempts": [], "tasks": [], **more}


def test_an_empty_key_is_for_the_server_to_refuse(server: SmallServer, machine: Machine) -> None:
    server.refuses(422, code="invalid-input", message="The request cannot be read. key: is too short.")
    assert "key: is too short" in machine.run("job", "run", "oars", "--key", "", code=3).stderr
    assert server.asked[0].body["key"] == ""


def test_a_list_is_of_whom_and_when_one_says(server: SmallServer, machine: Machine) -> None:
    server.tells({"items": [run()], "next": None})
    assert "ann" in machine.run("run", "list", "--by", "ann", "--since", "2026-01-31", "--until", "2026-02-01").stdout
    asked = parse_qs(urlsplit(server.asked[0].path).query)
    assert asked["requested_by"] == ["ann"]
    assert (asked["since"], asked["until"]) == (["2026-01-31T00:00:00+00:00"], ["2026-02-01T00:00:00+00:00"])


def test_an_empty_workspace_is_not_taken_for_the_one_in_use(server: SmallServer, machine: Machine) -> None:
    assert "is not a name" in machine.run("job", "delete", "oars", "--yes", "--workspace", "", code=3).stderr
    assert server.asked == []


def task(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "sql", "job": None, "after": [], "run": run(**more) if more else None}


def page(*texts: str, after: str | None = None, second: int = 0, stream: str = "out") -> dict[str, Any]:
    at = f"2026-01-02T03:04:{second:02}Z"
    lines = [{"at": at, "attempt": 1, "stream": stream, "text": text} for text in texts]
    return {"lines": lines, "next": after, "complete": not lines}


def test_the_log_of_a_flow_is_that_of_its_tasks_in_the_order_of_time(server: SmallServer, machine: Machine) -> None:
    tasks = [task("out", id="t-1"), task("back", id="t-2"), task("rest")]
    flow = in_full(**FLOW, tasks=tasks)
    server.tells(flow, flow)
    # The first page of each, then the rest of each as the earliest line asks for it.
    server.tells(page("row", after="1.0", second=1), page("turn", after="1.0", second=2), page(), page())
    done = machine.run("run", "logs", "f-1")
    assert done.stdout == "[out] row\n[back] turn\n"


def test_a_flow_is_followed_by_what_its_tasks_say_and_become(server: SmallServer, machine: Machine) -> None:
    out, back = {"id": "t-1"}, {"id": "t-2", "error": "no wind", "state": "failed"}
    under_way = [task("out", **out, state="running"), task("back")]
    server.tells(run(**FLOW, state="pending"))
    server.tells(in_full(**FLOW, state="running", tasks=under_way), page("row", after="1.0"), page())
    server.tells(in_full(**FLOW, state="failed", tasks=[task("out", **out), task("back", **back)]))
    server.tells(page("done", after="1.1"), page(), page("turn", after="1.0"), page())
    server.tells(in_full(**FLOW, state="failed", error="The task back failed: no wind"))
    done = machine.run("job", "run", "trip", code=1)
    assert done.stdout == "[out] row\n[out] done\n[back] turn\n"
    told = done.stderr.splitlines()
    assert told[1:4] == ["[out] running", "[out] succeeded", "[back] failed: no wind"]
    assert told[4].startswith("failed: The task back failed: no wind")


def test_a_log_that_is_empty_is_said_to_be(server: SmallServer, machine: Machine) -> None:
    server.tells(in_full(**FLOW, state="pending", tasks=[task("out")]), in_full(**FLOW, tasks=[task("out")]))
    done = machine.run("run", "logs", "f-1")
    assert "Nothing was written so far: the run is pending. `boathouse run show f-1`" in done.stderr


def test_a_run_that_waits_says_for_what(server: SmallServer, machine: Machine) -> None:
    waiting = in_full(state="pending", attempt=0, waits_for="No worker is running.")
    server.tells(waiting, page(), waiting)
    assert "the run is pending. No worker is running." in machine.run("run", "logs", "r-1").stderr
    assert "No worker is running." in machine.run("run", "show", "r-1").stdout


def test_an_attempt_that_is_not_there_is_an_error(server: SmallServer, machine: Machine) -> None:
    server.tells(in_full(attempt=2))
    assert "no attempt 9.\nHint: It has 1 to 2." in machine.run("run", "logs", "r-1", "--attempt", "9", code=4).stderr
    server.tells(in_full(attempt=0))
    follow = machine.run("run", "logs", "r-1", "-f", "--attempt", "1", code=4)
    assert "None has begun yet." in follow.stderr
    server.tells(in_full(**FLOW))
    assert "attempts of their own" in machine.run("run", "logs", "f-1", "--attempt", "1", code=3).stderr


def test_who_watches_a_run_that_does_not_begin_is_told_where_it_says_why(
    server: SmallServer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boathouse.cli.run_log.waiting", partial(waiting, after=0))
    server.tells(run(state="pending"))
    # Cut off there: until it is asked again, nothing happens.
    server.sends('event: state\ndata: {"state": "pending", "attempt": 0, "error": null}\n\n', cut=True)
    server.sends('event: end\ndata: {"state": "succeeded", "error": null}\n\n')
    server.tells(in_full())
    assert "the run waits; `boathouse run show r-1` says for what" in machine.run("job", "run", "oars").stderr


def test_who_stops_watching_is_told_that_the_run_goes_on(
    server: SmallServer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Runs, "watch", interrupted)
    server.tells(run(state="running"))
    done = machine.run("job", "run", "oars", code=130)
    assert "The run goes on; `boathouse run stop r-1` stops it." in done.stderr


def test_a_query_is_no_job_that_could_run_again(server: SmallServer, machine: Machine) -> None:
    server.tells(in_full(job="", kind="sql"))
    assert "boathouse query run" in machine.run("run", "rerun", "r-1", code=3).stderr


def test_a_run_is_done_again_with_its_values_and_those_given(server: SmallServer, machine: Machine) -> None:
    server.tells(in_full(values={"n": 3, "day": "2026-01-31"}), run(state="pending"))
    machine.run("run", "rerun", "r-1", "--value", "day=2026-02-01", "--no-wait")
    assert server.asked[1].body["values"] == {"n": 3, "day": "2026-02-01"}


def test_the_last_run_of_none_is_not_there(server: SmallServer, machine: Machine) -> None:
    server.tells({"items": [], "next": None})
    assert "There is no run yet." in machine.run("run", "show", "last", code=4).stderr

"""Queries from the command line: how their rows are shown, and how they are left."""

from typing import Any

import pytest

from boathouse.client.runs import Runs
from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer


def query(**more: Any) -> dict[str, Any]:
    """As the server tells one."""
    told = {"id": "q-1", "sql": "SELECT 1", "engine": "spark", "connection": None, "parameters": [], "values": {}}
    told |= {"asked_at": "2026-01-02T03:04:05Z", "run_id": "r-1", "state": "succeeded", "error": None}
    return told | {"seconds": 0.5, "rows": 1, "bytes": None, "bytes_read": None} | more


def rows(*values: Any, kind: str = "int32") -> dict[str, Any]:
    told = [[value] for value in values]
    return {
        "columns": [{"name": "a", "type": kind}],
        "rows": told,
        "total": len(told),
        "truncated": False,
        "next": None,
    }


def asked(server: SmallServer, sql: str, told: dict[str, Any]) -> None:
    server.tells(query(sql=sql, state="pending", rows=None))
    server.sends('event: end\ndata: {"state": "succeeded", "error": null}\n\n')
    server.tells(query(sql=sql, rows=told["total"]), told)


def test_one_row_is_one_row(server: SmallServer, machine: Machine) -> None:
    asked(server, "SELECT 1", rows(1))
    done = machine.run("query", "run", "SELECT 1")
    assert done.stderr == "1 row (0.5 s)\n"


def test_times_are_written_as_documented(server: SmallServer, machine: Machine) -> None:
    asked(server, "SELECT now()", rows("2026-01-02T03:04:05+00:00", kind="timestamp[us, tz=UTC]"))
    assert "2026-01-02 03:04:05Z" in machine.run("query", "run", "SELECT now()").stdout


def test_of_several_statements_it_is_said_whose_rows_these_are(server: SmallServer, machine: Machine) -> None:
    asked(server, "SELECT 1; SELECT 2", rows(2))
    done = machine.run("query", "run", "SELECT 1; SELECT 2")
    assert "Of 2 statements, these are the rows of the last that returned any." in done.stderr


@pytest.mark.parametrize(
    ("state", "said"), [("cancelled", "It is cancelled."), ("running", "Its worker is told to stop it.")]
)
def test_who_leaves_a_query_is_told_that_it_is_cancelled(
    server: SmallServer, machine: Machine, monkeypatch: pytest.MonkeyPatch, state: str, said: str
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Runs, "watch", interrupted)
    server.tells(query(state="running"), query(state=state))
    assert said in machine.run("query", "run", "SELECT 1", code=130).stderr
    assert server.asked[1].path.endswith("/queries/q-1/cancel")


def test_a_query_that_was_faster_than_its_cancelling_is_said_so(
    server: SmallServer, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Runs, "watch", interrupted)
    server.tells(query(state="running"))
    server.refuses(409, code="conflict", message="It is succeeded already.")
    done = machine.run("query", "run", "SELECT 1", code=130)
    assert "was not cancelled: It is succeeded already." in done.stderr


def test_the_last_query_of_none_is_not_there(server: SmallServer, machine: Machine) -> None:
    server.tells({"items": [], "next": None})
    assert "no query of yours yet" in machine.run("query", "show", "last", code=4).stderr

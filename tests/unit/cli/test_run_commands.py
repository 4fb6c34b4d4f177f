"""Runs from the command line: how they are started, followed and read."""

from typing import Any

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer

AT = "2026-01-02T03:04:05.678901Z"


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


def test_an_empty_workspace_is_not_taken_for_the_one_in_use(server: SmallServer, machine: Machine) -> None:
    assert "is not a name" in machine.run("job", "delete", "oars", "--yes", "--workspace", "", code=3).stderr
    assert server.asked == []

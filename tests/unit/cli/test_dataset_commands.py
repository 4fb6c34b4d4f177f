"""Datasets from the command line."""

from typing import Any

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer


def snapshot(number: str) -> dict[str, Any]:
    counts = dict.fromkeys(("added_rows", "deleted_rows", "added_files", "deleted_files"), 0)
    empty = dict.fromkeys(("parent_id", "operation", "total_rows", "engine", "run"))
    more = {"at": "2026-01-02T03:04:05Z", "current": True, "ancestor": True, "refs": []}
    return {"id": number, **counts, **empty, **more}


def test_a_snapshot_that_is_not_there_is_said_before_anybody_is_asked(server: SmallServer, machine: Machine) -> None:
    server.tells({"items": [snapshot("1")], "next": None})
    done = machine.run("dataset", "roll-back", "sales.orders", "8273498172634981", code=4)
    assert "sales.orders has no snapshot 8273498172634981" in done.stderr
    assert "`boathouse dataset snapshots sales.orders`" in done.stderr

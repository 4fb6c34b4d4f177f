"""The audit from the command line."""

from urllib.parse import parse_qs, urlsplit

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer


def test_an_export_is_of_the_workspace_and_the_entries_that_one_says(server: SmallServer, machine: Machine) -> None:
    server.sends('{"number": 1}\n')
    wanted = ("--user", "ann", "--action", "job", "--since", "2026-01-31")
    assert machine.run("audit", "export", "--workspace", "south", *wanted).stdout == '{"number": 1}\n'
    asked = urlsplit(server.asked[0].path)
    assert asked.path == "/api/v1/workspaces/south/audit/export"
    query = {"format": ["jsonl"], "user": ["ann"], "action": ["job"], "since": ["2026-01-31T00:00:00+00:00"]}
    assert parse_qs(asked.query) == query


def test_without_a_workspace_it_is_of_all(server: SmallServer, machine: Machine) -> None:
    server.sends("number,at\n")
    machine.run("audit", "export", "--format", "csv")
    assert server.asked[0].path == "/api/v1/audit/export?format=csv"

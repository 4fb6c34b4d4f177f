"""Jobs from the command line."""

from typing import Any

import pytest
import yaml

from tests.integration.control_commands import Machine
from tests.unit.client.small_server import SmallServer

AT = "2026-01-02T03:04:05Z"
PIPELINE: dict[str, Any] = {
    "pipeline": "meters",
    "source": {"kind": "postgres", "tables": ["public.readings"]},
    "bronze": {"table": "log.all"},
}


def job(kind: str, **spec: Any) -> dict[str, Any]:
    own = {"id": "j", "name": "meters", "version": 1, "paused": False, "due_at": None, "created_at": AT}
    return {**own, "updated_at": AT, "definition": {"kind": kind, "spec": spec}}


@pytest.mark.parametrize(
    ("source", "held"),
    [(PIPELINE["source"], "until the disk is full"), ({"kind": "kafka", "topics": ["t"]}, "in the object store")],
)
def test_a_stream_is_deleted_with_what_ends_all_that_it_leaves(
    server: SmallServer, machine: Machine, source: dict[str, Any], held: str
) -> None:
    pipeline = {**PIPELINE, "source": source}
    server.tells(job("stream", pipeline=pipeline), None)
    told = machine.run("job", "delete", "meters", "--yes")
    assert yaml.safe_load(told.stdout) == pipeline
    said = " ".join(told.stderr.split())
    assert held in said
    assert "boathouse pipeline remove FILE" in said
    assert [asked.method for asked in server.asked] == ["GET", "DELETE"]


def test_it_is_told_before_anybody_is_asked(server: SmallServer, machine: Machine) -> None:
    server.tells(job("stream", pipeline=PIPELINE))
    told = machine.run("job", "delete", "meters", code=3)
    assert "until the disk is full" in " ".join(told.stderr.split())
    assert "--yes" in told.stderr
    assert told.stdout == ""


def test_who_is_to_fill_in_parameters_is_told_which(server: SmallServer, machine: Machine) -> None:
    asked = job("stream", pipeline={**PIPELINE, "bronze": {"table": "{{where}}.all"}})
    asked["definition"]["parameters"] = [{"name": "where"}, {"name": "unused"}]
    server.tells(asked, None)
    said = " ".join(machine.run("job", "delete", "meters", "--yes").stderr.split())
    assert "its parameters there: where." in said


def test_another_job_leaves_nothing(server: SmallServer, machine: Machine) -> None:
    server.tells(job("sql", sql="SELECT 1"), None)
    told = machine.run("job", "delete", "meters", "--yes")
    assert (told.stdout, told.stderr.strip()) == ("", "Job meters is deleted.")

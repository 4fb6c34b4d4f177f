"""SQL through a connection: what is refused when it is asked for, and what a worker gives to the run's process."""

from pathlib import Path
from typing import Any

import pytest

from boathouse.control.runs.leases import Claim
from boathouse.control.worker.assignment import Assignment
from boathouse.control.worker.connecting import SecretSources
from boathouse.kit.errors import ConfigurationError, InvalidInput
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import JOBS, Work

CONNECTIONS = "/workspaces/north/connections"
QUERIES = "/workspaces/north/queries"
TRINO = {"address": "https://trino.example.org", "user": "reader", "catalog": "lake"}
PASSWORD = "the-oars-are-under-the-boat"


@pytest.fixture
async def work(control: ControlPlane) -> Work:
    await control.workspace("north")
    return Work(control)


@pytest.fixture
def keys(control: ControlPlane, tmp_path: Path) -> Path:
    """The API's own, in a file as a worker is given it."""
    control.keyring.saved(tmp_path / "keys.json")
    return tmp_path / "keys.json"


async def connect(work: Work, name: str = "trino", kind: str = "trino", **more: Any) -> None:
    config = TRINO if kind == "trino" else {"host": "db", "database": "d", "user": "u"}
    await work.caller.post(CONNECTIONS, {"name": name, "kind": kind, "config": config, **more})


async def claimed(work: Work, connection: str = "trino") -> Claim:
    await work.job(spec={"sql": "SELECT 1", "connection": connection})
    await work.submit()
    claim = await work.worker().claim()
    assert claim is not None
    return claim


@pytest.mark.parametrize(
    ("name", "said"),
    [("nowhere", "There is no connection 'nowhere'"), ("meters", "is of the kind postgres, and SQL runs on trino")],
)
async def test_a_job_a_flow_or_a_query_on_what_is_no_trino_is_refused(work: Work, name: str, said: str) -> None:
    await connect(work, "meters", "postgres")
    spec = {"sql": "SELECT 1", "connection": name}
    flow = {"tasks": [{"name": "one", "kind": "sql", "spec": spec}]}
    for definition in ({"kind": "sql", "spec": spec}, {"kind": "flow", "spec": flow}):
        error = await work.caller.ask("PUT", f"{JOBS}/daily", definition, status=400)
        assert said in error["message"]
        assert "the lake's own Spark" in error["hint"]
    assert said in (await work.caller.post(QUERIES, spec, status=400))["message"]
    assert (await work.caller.get(JOBS))["items"] == []


async def test_a_connection_of_another_workspace_is_none(work: Work) -> None:
    await work.control.workspace("south")
    await work.caller.post("/workspaces/south/connections", {"name": "trino", "kind": "trino", "config": TRINO})
    error = await work.caller.post(QUERIES, {"sql": "SELECT 1", "connection": "trino"}, status=400)
    assert "no connection 'trino'" in error["message"]


async def test_the_history_says_which_engine_was_asked_and_it_must_fit(work: Work) -> None:
    await connect(work)
    through = await work.caller.post(QUERIES, {"sql": "SELECT 1", "connection": "trino"})
    assert (through["engine"], through["connection"]) == ("trino", "trino")
    plain = await work.caller.post(QUERIES, {"sql": "SELECT 1", "engine": "spark"})
    assert (plain["engine"], plain["connection"]) == ("spark", None)
    for body in ({"engine": "trino"}, {"engine": "spark", "connection": "trino"}):
        error = await work.caller.post(QUERIES, {"sql": "SELECT 1", **body}, status=422)
        assert "the engine is" in error["message"]


async def test_a_query_takes_typed_values_and_refuses_others(work: Work) -> None:
    asked = {"sql": "SELECT :n", "parameters": [{"name": "n", "type": "integer"}]}
    await work.caller.post(QUERIES, {**asked, "values": {"n": "5"}})
    claim = await work.worker().claim()
    assert claim is not None
    assert claim.values == {"n": 5}
    assert "has no value" in (await work.caller.post(QUERIES, asked, status=400))["message"]
    error = await work.caller.post(QUERIES, {**asked, "values": {"n": "five"}}, status=400)
    assert "cannot be used" in error["message"]


async def test_a_sealed_secret_is_opened_by_a_worker_with_the_keys_and_shown_nowhere(work: Work, keys: Path) -> None:
    await connect(work, secrets={"password": PASSWORD})
    claim = await claimed(work)
    given = (await SecretSources(keys).connections_for(work.database, claim))["trino"]
    assert (given.kind, given.config["user"], given.in_clear()) == ("trino", "reader", {"password": PASSWORD})
    assert PASSWORD not in repr(given)
    told: dict[str, Any] = {"run_id": "r", "attempt": 1, "kind": "sql", "spec": {}, "parameters": [], "values": {}}
    assignment = Assignment(**told, scheduled_for=None, results="", result_path="", connections={"trino": given})
    assert PASSWORD not in repr(assignment)
    heard = Assignment.model_validate_json(assignment.model_dump_json()).connections
    assert heard["trino"].in_clear() == {"password": PASSWORD}


async def test_keys_that_are_not_there_are_said_and_never_made(work: Work, tmp_path: Path) -> None:
    await connect(work, secrets={"password": PASSWORD})
    claim = await claimed(work)
    missing = tmp_path / "missing.json"
    for sources in (SecretSources(), SecretSources(missing)):
        with pytest.raises(ConfigurationError, match="has no keys to open"):
            await sources.connections_for(work.database, claim)
    assert not missing.exists()


async def test_a_secret_kept_elsewhere_needs_no_keys(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    await connect(work, secrets={"password": {"env": "BOATHOUSE_SECRET_NORTH__TRINO"}})
    claim = await claimed(work)
    with pytest.raises(ConfigurationError, match="BOATHOUSE_SECRET_NORTH__TRINO is not set"):
        await SecretSources().connections_for(work.database, claim)
    monkeypatch.setenv("BOATHOUSE_SECRET_NORTH__TRINO", PASSWORD)
    given = (await SecretSources().connections_for(work.database, claim))["trino"]
    assert given.in_clear() == {"password": PASSWORD}


async def test_a_connection_that_changed_since_is_taken_as_it_is_or_said_to_be_gone(work: Work) -> None:
    await connect(work)
    claim = await claimed(work)
    changed = {**TRINO, "user": "writer"}
    await work.caller.ask("PATCH", f"{CONNECTIONS}/trino", {"config": changed})
    given = (await SecretSources().connections_for(work.database, claim))["trino"]
    assert given.config["user"] == "writer"
    await work.job()
    await work.caller.ask("DELETE", f"{CONNECTIONS}/trino", status=204)
    with pytest.raises(InvalidInput, match="no connection 'trino'"):
        await SecretSources().connections_for(work.database, claim)


async def test_sql_without_a_connection_is_given_none(work: Work) -> None:
    await work.job()
    await work.submit()
    claim = await work.worker().claim()
    assert claim is not None
    assert await SecretSources().connections_for(work.database, claim) == {}


async def test_a_program_is_given_every_connection_that_it_names(work: Work, keys: Path) -> None:
    await connect(work, secrets={"password": PASSWORD})
    await connect(work, "meters", "postgres")
    program = {"kind": "spark", "spec": {"code": "pass", "connections": ["trino", "meters"]}}
    await work.caller.ask("PUT", f"{JOBS}/daily", program)
    await work.submit()
    claim = await work.worker().claim()
    assert claim is not None
    given = await SecretSources(keys).connections_for(work.database, claim)
    assert {name: one.kind for name, one in given.items()} == {"trino": "trino", "meters": "postgres"}
    assert given["trino"].in_clear() == {"password": PASSWORD}


async def test_a_program_that_names_a_connection_that_is_not_there_is_refused(work: Work) -> None:
    program = {"kind": "spark", "spec": {"code": "pass", "connections": ["nowhere"]}}
    error = await work.caller.ask("PUT", f"{JOBS}/daily", program, status=400)
    assert "no connection 'nowhere'" in error["message"]
    assert "Spark" not in error["hint"]


async def test_a_connection_stays_while_a_job_needs_it(work: Work) -> None:
    await connect(work)
    spec = {"sql": "SELECT 1", "connection": "trino"}
    program = {"code": "pass", "connections": ["trino"]}
    flow = {"tasks": [{"name": "one", "kind": "sql", "spec": spec}]}
    for kind, needing in (("sql", spec), ("spark", program), ("flow", flow)):
        await work.caller.ask("PUT", f"{JOBS}/daily", {"kind": kind, "spec": needing})
        error = await work.caller.ask("DELETE", f"{CONNECTIONS}/trino", status=409)
        assert "The job daily needs the connection trino" in error["message"]
    await work.job()
    await work.caller.ask("DELETE", f"{CONNECTIONS}/trino", status=204)

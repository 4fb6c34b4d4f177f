"""SQL through a connection: what is refused when it is asked for, and what a worker gives to the run's process."""

from pathlib import Path
from typing import Any

import pytest

from boathouse.control.runs.flows import move_on
from boathouse.control.runs.leases import Claim
from boathouse.control.worker.assignment import Assignment
from boathouse.control.worker.connecting import SecretSources
from boathouse.kit.errors import ConfigurationError, Forbidden, InvalidInput
from tests.behaviour.control.control_plane import Caller, ControlPlane
from tests.behaviour.control.test_streams import at_work, over
from tests.behaviour.control.work import JOBS, Work

CONNECTIONS = "/workspaces/north/connections"
QUERIES = "/workspaces/north/queries"
TRINO = {"address": "https://trino.example.org", "user": "reader", "catalog": "lake"}
PASSWORD = "the-oars-are-under-the-boat"
SHARED = {"password": {"env": "BOATHOUSE_SECRET_SHARED__METERS"}}
PROGRAM: dict[str, Any] = {"kind": "spark", "spec": {"code": "pass", "connections": ["meters"]}}


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
    with pytest.raises(ConfigurationError, match=r"^The variable that holds the password is not set\.$"):
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


class TestOfASharedSecret:
    """A program is told it, and so is whoever wrote that: platform admins alone give it to one."""

    @pytest.fixture(autouse=True)
    def variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BOATHOUSE_SECRET_SHARED__METERS", PASSWORD)

    @pytest.fixture
    async def editor(self, work: Work) -> Caller:
        return await work.control.user("bob", north="editor")

    async def share(self, work: Work) -> None:
        await work.caller.ask("PATCH", f"{CONNECTIONS}/meters", {"secrets": SHARED})

    async def given(self, work: Work, caller: Caller, job: str = "copy", **wanted: Any) -> dict[str, str]:
        """What the worker hands to the job's run, or to the first task of it."""
        await caller.post(f"{JOBS}/{job}/runs", wanted)
        await move_on(work.database)
        claim = await work.worker().claim()
        assert claim is not None
        try:
            connections = await SecretSources().connections_for(work.database, claim)
        finally:
            await work.worker().fail(claim, "looked at enough")
        return connections["meters"].in_clear()

    async def test_one_that_came_after_the_program_is_not_handed_to_it(
        self, work: Work, editor: Caller, tmp_path: Path
    ) -> None:
        await connect(work, "meters", "postgres", secrets={"password": "a dummy"})
        await editor.ask("PUT", f"{JOBS}/copy", PROGRAM)
        await self.share(work)
        async with at_work(work, tmp_path):
            ended = await over(work, await editor.post(f"{JOBS}/copy/runs", {}))
        assert (ended["state"], ended["attempt"]) == ("failed", 1)
        assert "The connection meters is not given to this program: its secret is shared" in ended["error"]
        assert PASSWORD not in str(ended)

    async def test_it_is_handed_to_what_a_platform_admin_says_again(self, work: Work, editor: Caller) -> None:
        await connect(work, "meters", "postgres", secrets={"password": "a dummy"})
        await editor.ask("PUT", f"{JOBS}/copy", PROGRAM)
        await self.share(work)
        assert not (await editor.ask("PUT", f"{JOBS}/copy", PROGRAM))["changed"]
        applied = await work.caller.ask("PUT", f"{JOBS}/copy", PROGRAM)
        assert (applied["changed"], applied["job"]["version"]) == (True, 2)
        assert await self.given(work, editor) == {"password": PASSWORD}
        assert not (await work.caller.ask("PUT", f"{JOBS}/copy", PROGRAM))["changed"]

    async def test_a_token_of_a_platform_admin_that_may_do_less_gives_it_to_nothing(self, work: Work) -> None:
        await connect(work, "meters", "postgres", secrets={"password": "a dummy"})
        token = (await work.caller.post("/tokens", {"name": "ci", "role": "editor"}))["secret"]
        program = work.control.caller(token)
        await program.ask("PUT", f"{JOBS}/copy", PROGRAM)
        await self.share(work)
        with pytest.raises(Forbidden, match="its secret is shared"):
            await self.given(work, program)

    async def test_an_old_version_gets_none_though_its_connection_was_made_anew(
        self, work: Work, editor: Caller
    ) -> None:
        await connect(work, "meters", "postgres", secrets={"password": "a dummy"})
        await editor.ask("PUT", f"{JOBS}/copy", PROGRAM)
        await editor.ask("PUT", f"{JOBS}/copy", {"kind": "spark", "spec": {"code": "pass"}})
        await editor.ask("DELETE", f"{CONNECTIONS}/meters", status=204)
        await connect(work, "meters", "postgres", secrets=SHARED)
        with pytest.raises(Forbidden, match="its secret is shared"):
            await self.given(work, editor, version=1)
        await editor.post(f"{JOBS}/copy/roll-back", {"version": 1}, status=403)
        await work.caller.ask("PUT", f"{JOBS}/copy", PROGRAM)
        await editor.ask("PUT", f"{JOBS}/copy", {"kind": "spark", "spec": {"code": "pass"}})
        assert await self.given(work, editor, version=3) == {"password": PASSWORD}

    @pytest.mark.parametrize("program_of", ["editor", "admin"])
    async def test_in_a_flow_it_is_who_wrote_the_program_that_counts(
        self, work: Work, editor: Caller, program_of: str
    ) -> None:
        await connect(work, "meters", "postgres", secrets={"password": "a dummy"})
        author, other = (editor, work.caller) if program_of == "editor" else (work.caller, editor)
        await author.ask("PUT", f"{JOBS}/copy", PROGRAM)
        as_job = {"kind": "flow", "spec": {"tasks": [{"name": "one", "job": "copy"}]}}
        in_place = {"kind": "flow", "spec": {"tasks": [{"name": "one", **PROGRAM}]}}
        await other.ask("PUT", f"{JOBS}/as-job", as_job)
        await author.ask("PUT", f"{JOBS}/in-place", in_place)
        await self.share(work)
        for flow in ("as-job", "in-place"):
            if program_of == "admin":
                assert await self.given(work, editor, flow) == {"password": PASSWORD}
            else:
                with pytest.raises(Forbidden, match="its secret is shared"):
                    await self.given(work, editor, flow)

    async def test_sql_is_told_none_and_may_use_it(self, work: Work, editor: Caller) -> None:
        await connect(work, secrets=SHARED)
        await editor.ask("PUT", f"{JOBS}/daily", {"kind": "sql", "spec": {"sql": "SELECT 1", "connection": "trino"}})
        await editor.post(f"{JOBS}/daily/runs", {})
        claim = await work.worker().claim()
        assert claim is not None
        assert (await SecretSources().connections_for(work.database, claim))["trino"].kind == "trino"

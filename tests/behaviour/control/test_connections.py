"""Connections: what may be said of them, what is kept of their secrets, and a test against the real thing."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from sqlalchemy import text

from boathouse.control.connections import repository
from boathouse.control.connections.kinds import KINDS
from boathouse.control.connections.references import SecretPlaces
from boathouse.control.connections.service import rewrap_all
from boathouse.control.database import Database
from boathouse.control.vault import Vault
from tests.behaviour.control.control_plane import ControlPlane, Json
from tests.behaviour.control.spoken_protocols import Spoken, spoken
from tests.integration.catalog_process import TOKEN, CatalogProcess
from tests.postgres_server import PostgresServer
from tests.seaweedfs import KEY, SeaweedFs

CONNECTIONS = "/workspaces/north/connections"
SECRET = "the-oars-are-under-the-boat"


def postgres_connection(port: int = 1, **more: Json) -> Json:
    config = {"host": "127.0.0.1", "port": port, "database": "postgres", "user": "boathouse", **more}
    return {"name": "meters", "kind": "postgres", "config": config, "secrets": {"password": SECRET}}


def referring(name: str, reference: Json) -> Json:
    return {**postgres_connection(), "name": name, "secrets": {"password": reference}}


async def outcome_of(control: ControlPlane, connection: Json) -> Json:
    await control.admin.post(CONNECTIONS, connection)
    answer = await control.admin.post(f"{CONNECTIONS}/{connection['name']}/test", status=200)
    await control.admin.ask("DELETE", f"{CONNECTIONS}/{connection['name']}", status=204)
    return answer


def steps(answer: Json) -> list[tuple[str, bool]]:
    return [(step["name"], step["ok"]) for step in answer["steps"]]


@pytest.fixture
async def north(control: ControlPlane) -> ControlPlane:
    await control.workspace("north")
    return control


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Generator[SeaweedFs]:
    with SeaweedFs(tmp_path_factory.mktemp("s3") / "store") as store:
        yield store


class TestSecrets:
    async def test_they_go_in_and_never_out(self, north: ControlPlane, capfd: pytest.CaptureFixture[str]) -> None:
        made = await north.admin.post(CONNECTIONS, postgres_connection())
        assert made["secrets"] == {"password": {"kept": "sealed", "place": None}}
        assert await north.admin.get(f"{CONNECTIONS}/meters") == made
        exported = (await north.admin.http.get("/api/v1/audit/export")).text
        async with north.database.reading() as work:
            kept = (await work.execute(text("SELECT secrets, config FROM connections"))).all()
        assert SECRET not in exported + str(kept) + str(made) + "".join(capfd.readouterr())
        assert north.app.state.connections.secrets_of(await self._connection(north)) == {"password": SECRET}

    async def _connection(self, control: ControlPlane) -> Json:
        async with control.database.reading() as work:
            return (await repository.every(work))[0]

    async def test_a_change_without_them_keeps_them_and_null_removes_one(self, north: ControlPlane) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        changed = await north.admin.ask("PATCH", f"{CONNECTIONS}/meters", {"description": "Meter readings"})
        assert set(changed["secrets"]) == {"password"}
        changed = await north.admin.ask("PATCH", f"{CONNECTIONS}/meters", {"secrets": {"password": None}})
        assert changed["secrets"] == {}

    async def test_a_new_key_takes_them_over(self, north: ControlPlane) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        renewed = north.keyring.with_new_key()
        async with north.database.changing() as work:
            assert rewrap_all(await repository.every(work, lock=True), Vault(renewed)) == 1
        connection = await self._connection(north)
        sealed = connection.secrets["password"]
        assert Vault(renewed.without_old(())).open(sealed, connection.belongs_to("password")) == SECRET

    async def test_they_may_come_from_a_variable_or_a_mounted_file(self, database: Database, tmp_path: Path) -> None:
        # As Kubernetes mounts one: what has the name is a link, and so is what it leads to.
        (tmp_path / "north" / "..2026").mkdir(parents=True)
        (tmp_path / "north" / "..2026" / "db").write_text(SECRET + "\n")
        (tmp_path / "north" / "..data").symlink_to("..2026")
        (tmp_path / "north" / "db").symlink_to("..data/db")
        places = SecretPlaces(tmp_path, {"BOATHOUSE_SECRET_NORTH__DB": SECRET, "HOME": "/root"})
        async with ControlPlane(database, places) as control:
            await control.workspace("north")
            editor, viewer = await control.user("bob", north="editor"), await control.user("ann", north="viewer")
            for name, reference in (
                ("by-env", {"env": "BOATHOUSE_SECRET_NORTH__DB"}),
                ("by-file", {"file": "north/db"}),
            ):
                made = await editor.post(CONNECTIONS, referring(name, reference))
                assert made["secrets"]["password"]["place"] == next(iter(reference.values()))
                seen = await viewer.get(f"{CONNECTIONS}/{name}")
                assert (seen["secrets"]["password"]["place"], next(iter(reference.values())) in str(seen)) == (
                    None,
                    False,
                )
            async with database.reading() as work:
                found = await repository.every(work)
            connections = control.app.state.connections
            assert [connections.secrets_of(one) for one in found] == [{"password": SECRET}] * 2
            for reference in ({"env": "HOME"}, {"file": "../db"}, {"file": "/etc/passwd"}, {"file": "north/a\0b"}):
                await control.admin.post(CONNECTIONS, referring("bad", reference), status=400)

    async def test_one_that_is_not_there_fails_the_first_step(self, database: Database, tmp_path: Path) -> None:
        async with ControlPlane(database, SecretPlaces(tmp_path, {})) as control:
            await control.workspace("north")
            for reference in ({"env": "BOATHOUSE_SECRET_NORTH__NONE"}, {"file": "north/none"}):
                answer = await outcome_of(control, {**postgres_connection(), "secrets": {"password": reference}})
                assert steps(answer) == [("read the secrets", False)]

    @pytest.mark.parametrize(
        ("reference", "why"),
        [
            ({"env": "BOATHOUSE_SECRET_NORTH__NONE"}, "The variable that holds the password is not set."),
            ({"file": "north/none"}, "The file that holds the password cannot be read: No such file or directory."),
            ({"file": "north/binary"}, "The file that holds the password cannot be read: it is not UTF-8."),
            (
                {"file": "north/away"},
                "The file that holds the password cannot be read: it is not below the directory for secrets.",
            ),
        ],
    )
    async def test_where_one_is_that_cannot_be_read_is_not_told(
        self, database: Database, tmp_path: Path, reference: dict[str, str], why: str
    ) -> None:
        secrets = tmp_path / "mounted"
        (secrets / "north").mkdir(parents=True)
        (secrets / "north" / "binary").write_bytes(b"\xff")
        async with ControlPlane(database, SecretPlaces(secrets, {})) as control:
            await control.workspace("north")
            await control.admin.post(CONNECTIONS, referring("meters", reference))
            # What was a file of the workspace when it was named leads elsewhere by now.
            (secrets / "north" / "away").symlink_to(tmp_path)
            tested = await control.admin.post(f"{CONNECTIONS}/meters/test", status=200)
            # Runs and notifications tell it to whoever may see these: editors see in the connection where it is.
            assert (steps(tested), tested["steps"][0]["message"]) == ([("read the secrets", False)], why)
            assert not any(place in str(tested) for place in (str(tmp_path), "NORTH__NONE", "north/"))


class TestOfSecretsThatAreKeptElsewhere:
    """Each belongs to a workspace, or to all and then to the platform's admins."""

    @pytest.fixture
    async def places(self, tmp_path: Path) -> SecretPlaces:
        for owner in ("north", "north-sea", "shared"):
            (tmp_path / owner).mkdir()
            (tmp_path / owner / "db").write_text(SECRET)
        names = ("NORTH__DB", "NORTH_SEA__DB", "NORTH__SEA__DB", "SHARED__DB", "DB")
        return SecretPlaces(tmp_path, {f"BOATHOUSE_SECRET_{name}": SECRET for name in names})

    @pytest.mark.parametrize(
        "foreign",
        [
            {"env": "BOATHOUSE_SECRET_NORTH_SEA__DB"},
            {"env": "BOATHOUSE_SECRET_NORTH__SEA__DB"},
            {"env": "BOATHOUSE_SECRET_DB"},
            {"file": "north-sea/db"},
            {"file": "north/../north-sea/db"},
            {"file": "north"},
        ],
    )
    async def test_no_workspace_names_anothers(self, database: Database, places: SecretPlaces, foreign: Json) -> None:
        async with ControlPlane(database, places) as control:
            await control.workspace("north")
            await control.workspace("north-sea")
            editor = await control.user("bob", north="editor")
            own = await editor.post(CONNECTIONS, referring("own", {"env": "BOATHOUSE_SECRET_NORTH__DB"}))
            for caller in (editor, control.admin):
                for path in (CONNECTIONS, "/workspaces/north/connection-tests"):
                    error = await caller.post(path, referring("mine", foreign), status=400)
                    assert SECRET not in str(error)
                for method, path in (("PATCH", "/own"), ("POST", "/own/test")):
                    await caller.ask(method, CONNECTIONS + path, {"secrets": {"password": foreign}}, status=400)
            assert await editor.get(f"{CONNECTIONS}/own") == own

    @pytest.mark.parametrize("shared", [{"env": "BOATHOUSE_SECRET_SHARED__DB"}, {"file": "shared/db"}])
    async def test_what_is_shared_is_named_by_platform_admins_and_led_nowhere_else(
        self, database: Database, places: SecretPlaces, shared: Json
    ) -> None:
        async with ControlPlane(database, places) as control:
            await control.workspace("north")
            await control.workspace("shared")
            editor = await control.user("bob", north="admin", shared="admin")
            for workspace in ("north", "shared"):
                error = await editor.post(f"/workspaces/{workspace}/connections", referring("all", shared), status=403)
                assert "platform admin" in error["message"]
            await control.admin.post(CONNECTIONS, referring("all", shared))
            # A program is told it, and so would be whoever writes one.
            program = {"kind": "spark", "spec": {"connections": ["all"], "code": "pass"}}
            flow = {"kind": "flow", "spec": {"tasks": [{"name": "one", **program}]}}
            for job in (program, flow):
                error = await editor.ask("PUT", "/workspaces/north/jobs/read", job, status=403)
                assert "its secret is shared" in error["message"]
            await control.admin.ask("PUT", "/workspaces/north/jobs/read", program)
            await control.admin.ask("DELETE", "/workspaces/north/jobs/read", status=204)
            tested = await editor.post(f"{CONNECTIONS}/all/test", status=200)
            assert steps(tested)[0] == ("read the secrets", True)
            elsewhere = {"config": {**postgres_connection()["config"], "host": "evil.example.org"}}
            for method, path in (("PATCH", "/all"), ("POST", "/all/test")):
                error = await editor.ask(method, CONNECTIONS + path, elsewhere, status=400)
                assert list(error["fields"]) == ["secrets.password"]
                again = {**elsewhere, "secrets": {"password": shared}}
                await editor.ask(method, CONNECTIONS + path, again, status=403)

    async def test_one_that_was_named_before_it_mattered_by_whom_is_read_no_longer(
        self, database: Database, places: SecretPlaces
    ) -> None:
        async with ControlPlane(database, places) as control:
            await control.workspace("north")
            await control.admin.post(CONNECTIONS, referring("old", {"env": "BOATHOUSE_SECRET_NORTH__DB"}))
            async with database.changing() as work:
                (await repository.every(work))[0].secrets = {"password": {"env": "BOATHOUSE_SECRET_DB"}}
            tested = await control.admin.post(f"{CONNECTIONS}/old/test", status=200)
            assert steps(tested) == [("read the secrets", False)]
            assert "Name it again" in tested["steps"][0]["hint"]


class TestWhatMayBeSaid:
    @pytest.mark.parametrize(
        ("change", "status"),
        [
            ({"kind": "oracle"}, 400),
            ({"config": {}}, 400),
            ({"config": {"host": "x", "database": "d", "user": "u", "port": 0}}, 400),
            ({"config": {"host": "x", "database": "d", "user": "u", "pasword": "oops"}}, 400),
            ({"secrets": {"pasword": "oops"}}, 400),
            ({"secrets": {"password": ""}}, 422),
            ({"secrets": {"password": {"env": "X", "file": "y"}}}, 422),
            ({"name": "Has Space"}, 422),
            ({"more": 1}, 422),
        ],
    )
    async def test_what_makes_no_sense_is_refused(self, north: ControlPlane, change: Json, status: int) -> None:
        error = await north.admin.post(CONNECTIONS, {**postgres_connection(), **change}, status=status)
        assert SECRET not in str(error)
        assert (await north.admin.get(CONNECTIONS))["items"] == []

    async def test_a_name_is_taken_once_in_a_workspace(self, north: ControlPlane) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        await north.admin.post(CONNECTIONS, postgres_connection(), status=409)
        await north.workspace("south")
        await north.admin.post("/workspaces/south/connections", postgres_connection())

    async def test_viewers_see_and_editors_change(self, north: ControlPlane) -> None:
        viewer, editor = await north.user("ann", north="viewer"), await north.user("bob", north="editor")
        await viewer.post(CONNECTIONS, postgres_connection(), status=403)
        await editor.post(CONNECTIONS, postgres_connection())
        assert (await viewer.get(f"{CONNECTIONS}/meters"))["name"] == "meters"
        for method, path in (("PATCH", "/meters"), ("DELETE", "/meters"), ("POST", "/meters/test")):
            error = await viewer.ask(method, CONNECTIONS + path, {}, status=403)
            assert "takes the role editor" in error["message"]

    async def test_each_kind_says_what_it_takes(self, north: ControlPlane) -> None:
        kinds = {kind["name"]: kind for kind in await north.admin.get("/connection-kinds")}
        assert set(kinds) == {*KINDS} >= {"iceberg-rest", "kafka", "postgres", "s3", "snowflake", "spark", "trino"}
        assert "password" not in kinds["postgres"]["config"]["properties"]


class TestOfConnecting:
    async def test_postgres_step_by_step(self, north: ControlPlane, postgres: PostgresServer) -> None:
        answer = await outcome_of(north, postgres_connection(postgres.port))
        assert steps(answer) == [(name, True) for name in ("read the secrets", "find the host", "reach it", "log in")]
        assert "Postgres 18" in answer["steps"][-1]["message"]
        answer = await outcome_of(north, postgres_connection(postgres.port, database="none"))
        assert steps(answer)[-1] == ("log in", False)
        assert "none" in answer["steps"][-1]["message"]
        answer = await outcome_of(north, postgres_connection(1))
        assert steps(answer)[-1] == ("reach it", False)
        answer = await outcome_of(north, postgres_connection(host="no-such-host.invalid"))
        assert steps(answer)[-1] == ("find the host", False)
        audit = (await north.admin.get("/audit", params={"action": "connection.test"}))["items"]
        assert [one["details"]["ok"] for one in audit] == [False, False, False, True]

    async def test_s3_step_by_step(self, north: ControlPlane, s3: SeaweedFs) -> None:
        config = {"endpoint": s3.endpoint, "bucket": "lake", "prefix": "tests", "access_key": KEY}
        given = {"name": "lake", "kind": "s3", "config": config, "secrets": {"secret_key": KEY}}
        answer = await outcome_of(north, given)
        assert answer["ok"], answer
        assert steps(answer)[-2:] == [("list the bucket", True), ("write to it", True)]
        answer = await outcome_of(north, {**given, "secrets": {"secret_key": "wrong"}})
        assert steps(answer)[-1] == ("list the bucket", False)
        await north.admin.post(CONNECTIONS, {**given, "config": {**config, "endpoint": "ftp://x"}}, status=400)

    async def test_an_iceberg_catalog_step_by_step(self, north: ControlPlane, tmp_path: Path) -> None:
        with CatalogProcess(tmp_path) as catalog:
            given = {
                "name": "lake",
                "kind": "iceberg-rest",
                "config": {"uri": catalog.uri, "warehouse": "lake"},
                "secrets": {"token": TOKEN},
            }
            answer = await outcome_of(north, given)
            assert steps(answer)[-2:] == [("ask for its configuration", True), ("list namespaces", True)]
            answer = await outcome_of(north, {**given, "secrets": {"token": "wrong"}})
            assert not answer["ok"]
            assert "refused" in answer["steps"][-1]["message"]
            answer = await outcome_of(north, {**given, "config": {"uri": catalog.uri, "warehouse": "other"}})
            assert not answer["ok"]


class TestOfWhatIsNotSaved:
    TRIALS = "/workspaces/north/connection-tests"

    async def test_a_connection_is_tried_before_it_is_made(self, north: ControlPlane, postgres: PostgresServer) -> None:
        answer = await north.admin.post(self.TRIALS, postgres_connection(postgres.port), status=200)
        assert answer["ok"]
        answer = await north.admin.post(self.TRIALS, postgres_connection(), status=200)
        assert (steps(answer)[-1], answer["skipped"]) == (("reach it", False), ["log in"])
        assert (await north.admin.get(CONNECTIONS))["items"] == []
        tried = (await north.admin.get("/audit", params={"action": "connection.try"}))["items"]
        assert [one["details"]["ok"] for one in tried] == [False, True]
        assert SECRET not in str(tried)

    async def test_a_change_is_tried_with_the_secret_that_is_sealed(
        self, north: ControlPlane, postgres: PostgresServer
    ) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection(postgres.port, database="none"))
        config = postgres_connection(postgres.port)["config"]
        tried = await north.admin.post(f"{CONNECTIONS}/meters/test", {"config": config}, status=200)
        assert tried["ok"]
        kept = await north.admin.get(f"{CONNECTIONS}/meters")
        assert (kept["config"]["database"], kept["last_test"]) == ("none", None)

    async def test_viewers_may_not_and_what_makes_no_sense_is_told_by_its_field(self, north: ControlPlane) -> None:
        viewer = await north.user("ann", north="viewer")
        await viewer.post(self.TRIALS, postgres_connection(), status=403)
        error = await north.admin.post(self.TRIALS, postgres_connection(0), status=400)
        assert error["fields"] == {"config.port": "must be at least 1"}


class TestOfTypingMistakes:
    TRIALS = "/workspaces/north/connection-tests"

    @pytest.mark.parametrize("host", ["db..example.org", f"{'d' * 64}.example.org"])
    async def test_a_host_that_cannot_be_one_is_said_and_noted(self, north: ControlPlane, host: str) -> None:
        answer = await north.admin.post(self.TRIALS, postgres_connection(host=host), status=200)
        assert steps(answer)[-1] == ("find the host", False)
        assert answer["steps"][-1]["hint"] == "Check the host's name."
        (noted,) = (await north.admin.get("/audit", params={"action": "connection.try"}))["items"]
        assert (noted["result"], noted["details"]["failed"]) == ("done", ["find the host"])

    @pytest.mark.parametrize("port", ["81234", "abc"])
    async def test_a_port_that_cannot_be_one_is_refused(self, north: ControlPlane, port: str) -> None:
        hook = {"name": "hook", "kind": "webhook", "config": {"url": f"http://host:{port}"}}
        error = await north.admin.post(CONNECTIONS, hook, status=400)
        assert list(error["fields"]) == ["config.url"]

    async def test_a_secret_that_was_left_out_is_said(self, north: ControlPlane) -> None:
        config = {"endpoint": "http://127.0.0.1:1", "bucket": "lake", "access_key": KEY}
        answer = await outcome_of(north, {"name": "lake", "kind": "s3", "config": config})
        assert steps(answer) == [("read the secrets", True), ("read the configuration", False)]
        assert "Missing SecretAccessKey" in answer["steps"][-1]["message"]

    async def test_a_secret_that_cannot_be_sent_is_said_without_a_letter_of_it(self, north: ControlPlane) -> None:
        with spoken(Spoken) as address:
            hook = {"name": "lineage", "kind": "openlineage", "config": {"url": address}}
            answer = await outcome_of(north, {**hook, "secrets": {"api_key": "ö"}})
        assert steps(answer)[-1] == ("ask it", False)
        assert answer["steps"][-1]["message"] == "It cannot be tried: a letter in it cannot be sent."


class TestOfLeadingSecretsElsewhere:
    @pytest.mark.parametrize("change", [{"host": "evil.example.org"}, {"port": 2}, {"ssl": "disable"}])
    async def test_a_sealed_secret_is_given_anew_with_another_address(self, north: ControlPlane, change: Json) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        moved = {"config": {**postgres_connection()["config"], **change}}
        for method, path in (("PATCH", "/meters"), ("POST", "/meters/test")):
            error = await north.admin.ask(method, CONNECTIONS + path, moved, status=400)
            assert list(error["fields"]) == ["secrets.password"]
            assert "Give password again" in error["hint"]
        changed = await north.admin.ask("PATCH", f"{CONNECTIONS}/meters", {**moved, "secrets": {"password": "new"}})
        assert changed["config"].items() >= change.items()

    async def test_what_leads_nowhere_else_may_change_alone(self, north: ControlPlane) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        config = {**postgres_connection()["config"], "database": "other", "user": "ann"}
        changed = await north.admin.ask("PATCH", f"{CONNECTIONS}/meters", {"config": config})
        assert (changed["config"]["user"], set(changed["secrets"])) == ("ann", {"password"})

    async def test_a_secret_that_is_removed_is_sent_nowhere(self, north: ControlPlane) -> None:
        await north.admin.post(CONNECTIONS, postgres_connection())
        config = {**postgres_connection()["config"], "host": "elsewhere"}
        changed = await north.admin.ask(
            "PATCH", f"{CONNECTIONS}/meters", {"config": config, "secrets": {"password": None}}
        )
        assert (changed["config"]["host"], changed["secrets"]) == ("elsewhere", {})

    def test_every_harmless_field_is_one_of_the_kind(self) -> None:
        for kind in KINDS.values():
            assert kind.harmless < set(kind.config.model_fields), kind.name


async def test_the_last_test_is_kept_until_the_connection_changes(north: ControlPlane) -> None:
    made = await north.admin.post(CONNECTIONS, postgres_connection())
    assert (made["last_test"], made["updated_by"]) == (None, "admin")
    editor = await north.user("bob", north="editor")
    tested = await editor.post(f"{CONNECTIONS}/meters/test", status=200)
    last = (await north.admin.get(CONNECTIONS))["items"][0]["last_test"]
    assert (last["ok"], last["by"], last["steps"]) == (False, "bob", tested["steps"])
    assert SECRET not in str(last)
    kept = await editor.ask("PATCH", f"{CONNECTIONS}/meters", {"description": "Meters"})
    assert (kept["last_test"], kept["updated_by"]) == (last, "bob")
    changed = await editor.ask("PATCH", f"{CONNECTIONS}/meters", {"secrets": {"password": "another"}})
    assert changed["last_test"] is None


async def test_of_what_a_system_answers_a_test_tells_the_beginning(north: ControlPlane) -> None:
    class Talks(Spoken):
        def answer(self, method: str, path: str, body: str) -> tuple[int, Json, str]:
            return 403, {}, json.dumps({"error": "row upon row " * 1000})

    with spoken(Talks) as uri:
        last = (await outcome_of(north, {"name": "talks", "kind": "iceberg-rest", "config": {"uri": uri}}))["steps"][-1]
    assert (last["ok"], len(last["message"]), last["message"][-1]) == (False, 501, "…")

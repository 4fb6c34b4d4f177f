"""The control plane from the command line: logging in, then every noun, on both databases."""

import csv
import json
import stat
from collections.abc import Generator
from itertools import count
from pathlib import Path

import httpx
import pytest

from boathouse.client.client import ControlClient
from boathouse.client.logins import Logins
from tests.integration.control_commands import Machine
from tests.integration.control_process import ControlProcess
from tests.postgres_server import PostgresServer

_NUMBERS = count(1)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def control(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    directory = tmp_path_factory.mktemp("control")
    if request.param == "sqlite":
        with ControlProcess(directory) as control:
            yield control
        return
    with PostgresServer() as server, ControlProcess(directory, server.url()) as control:
        yield control


@pytest.fixture
def machine(control: ControlProcess, tmp_path: Path) -> Machine:
    """Logged in as the platform admin."""
    machine = Machine(tmp_path)
    machine.log_in(control)
    return machine


@pytest.fixture
def workspace(machine: Machine) -> str:
    """A new one, in use."""
    name = f"north-{next(_NUMBERS)}"
    machine.run("workspace", "create", name)
    machine.run("workspace", "use", name)
    return name


def chosen(password: str) -> dict[str, str]:
    """What is typed for a new one."""
    return dict.fromkeys(("New password:", "Repeat for confirmation:"), password)


def kept(machine: Machine) -> Logins:
    return Logins.model_validate_json(machine.logins.read_bytes())


def test_a_login_leaves_a_token_for_its_owner_and_no_password(control: ControlProcess, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.log_in(control)
    assert stat.S_IMODE(machine.logins.stat().st_mode) == 0o600
    assert stat.S_IMODE(machine.logins.parent.stat().st_mode) == 0o700
    assert control.password not in machine.logins.read_text()
    assert machine.told("user", "show")["name"] == "admin"
    (server,) = [row for row in machine.told("server", "list") if row["current"]]
    assert (server["name"], server["url"], server["user"]) == ("there", control.url, "admin")


def test_on_a_terminal_the_password_is_typed_unseen(control: ControlProcess, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    shown = machine.typed("login", control.url, answers={"User:": "admin", "Password:": control.password})
    assert control.password not in shown
    assert machine.told("user", "show")["name"] == "admin"


def test_a_wrong_password_leaves_nothing(control: ControlProcess, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    done = machine.run("login", control.url, "--user", "nobody", given="not this\n", code=7)
    assert "The name or the password is wrong." in done.stderr
    assert not machine.logins.exists()


def test_a_token_may_be_brought_along(control: ControlProcess, machine: Machine, tmp_path: Path) -> None:
    token = machine.told("token", "create", "elsewhere", "--role", "viewer")
    other = Machine(tmp_path / "other")
    other.run("login", control.url, "--token-stdin", given=token["secret"])
    assert other.told("user", "show")["name"] == "admin"
    assert "admin" in other.run("user", "create", "x-1", code=7).stderr
    other.run("logout")
    assert token["id"] in {one["id"] for one in machine.told("token", "list")}


def test_logging_out_revokes_the_token_of_this_machine(control: ControlProcess, machine: Machine) -> None:
    login = kept(machine).servers["there"]
    with ControlClient(control.url, login.token) as client:
        assert client.users.me().name == "admin"
    machine.run("logout")
    assert httpx.get(
        f"{control.url}/api/v1/me",
        headers={"Authorization": f"Bearer {login.token.get_secret_value()}"},
        trust_env=False,
    ).is_client_error
    assert "is not running" in machine.run("user", "show", code=5).stderr


def test_logging_in_again_ends_the_token_before(control: ControlProcess, machine: Machine) -> None:
    before = kept(machine).servers["there"].token_id
    machine.log_in(control)
    assert before not in {one["id"] for one in machine.told("token", "list")}


def test_who_cannot_reach_the_server_may_still_forget_it(machine: Machine) -> None:
    logins = json.loads(machine.logins.read_text())
    logins["servers"]["there"]["url"] = "http://127.0.0.1:1"
    machine.logins.write_text(json.dumps(logins))
    assert "was not revoked" in machine.run("logout").stderr
    assert kept(machine).servers == {}


def test_a_password_is_not_sent_over_an_open_road(tmp_path: Path) -> None:
    done = Machine(tmp_path).run("login", "http://boathouse.example.org", "--user", "x", given="oars", code=3)
    assert "is not https" in done.stderr


def test_a_program_comes_by_variables(control: ControlProcess, machine: Machine, tmp_path: Path) -> None:
    secret = machine.told("token", "create", "program")["secret"]
    variables = {"BOATHOUSE_CONTROL_URL": control.url, "BOATHOUSE_CONTROL_TOKEN": secret}
    assert Machine(tmp_path / "program", variables).told("user", "show")["name"] == "admin"


def test_a_revoked_token_says_how_to_get_another(machine: Machine) -> None:
    machine.run("token", "revoke", kept(machine).servers["there"].token_id or "", "--yes")
    assert "boathouse login" in machine.run("workspace", "list", code=7).stderr


def test_workspaces_are_made_changed_used_and_deleted(machine: Machine, workspace: str) -> None:
    assert f"* {workspace}" in " ".join(machine.run("workspace", "list").stdout.split())
    machine.run("workspace", "update", "--description", "the north", "--most-runs", "3", "--retries", "2")
    machine.run("workspace", "update", "--timeout-seconds", "60")
    shown = machine.told("workspace", "show")
    assert (shown["name"], shown["description"]) == (workspace, "the north")
    assert shown["quotas"] == {"runs": 3, "cores": 64, "memory_mb": 262144}
    assert shown["defaults"] == {"timeout_seconds": 60, "retries": 2}
    machine.run("workspace", "update", "--timeout-seconds", "0")
    assert machine.told("workspace", "show")["defaults"] == {"timeout_seconds": None, "retries": 2}
    assert "--yes" in machine.run("workspace", "delete", workspace, code=3).stderr
    machine.run("workspace", "delete", workspace, "--yes")
    assert machine.run("workspace", "show", workspace, code=4).stderr.startswith("Error: There is no workspace")
    assert workspace not in kept(machine).workspaces.values()
    gone = machine.run("job", "list", "--workspace", workspace, code=4).stderr
    assert "`boathouse workspace list`" in gone
    assert "`boathouse workspace use NAME`" in gone


def test_which_workspace_is_meant_has_to_be_said_where_there_are_several(machine: Machine, workspace: str) -> None:
    machine.run("workspace", "create", f"{workspace}-b")
    machine.logins.write_text(kept(machine).model_copy(update={"workspaces": {}}).model_dump_json())
    done = machine.run("connection", "list", code=3)
    assert workspace in done.stderr
    assert machine.told("connection", "list", "--workspace", workspace) == []


def test_members_come_change_and_go(machine: Machine, workspace: str) -> None:
    user = f"ann-{workspace}"
    machine.run("user", "create", user)
    machine.run("workspace", "add-member", user, "viewer")
    machine.run("workspace", "add-member", user, "editor")
    roles = {member["name"]: member["role"] for member in machine.told("workspace", "members")}
    assert roles == {"admin": "admin", user: "editor"}
    assert "--yes" in machine.run("workspace", "remove-member", user, code=3).stderr
    machine.run("workspace", "remove-member", user, "--yes")
    assert user not in machine.run("workspace", "members").stdout
    assert "role" in machine.run("workspace", "add-member", user, "captain", code=3).stderr


def test_users_are_made_with_a_password_told_once_and_kept_out(
    control: ControlProcess, machine: Machine, tmp_path: Path
) -> None:
    user = f"bob-{next(_NUMBERS)}"
    made = machine.told("user", "create", user, "--email", "bob@example.org", "--display-name", "Bob")
    bob = Machine(tmp_path / "bob")
    login = ("login", control.url, "--user", user, "--name", "there")
    assert "made by somebody else" in bob.run(*login, given=made["password"], code=3).stderr
    bob.typed(*login, answers={"Password:": made["password"], **chosen("a lantern by the pier")})
    assert not bob.told("user", "show")["must_change_password"]
    typed = {"Current password:": "a lantern by the pier", **chosen("a bell in the fog")}
    bob.typed("user", "password", answers=typed)
    assert "platform admin" in bob.run("user", "list", code=7).stderr
    machine.run("user", "disable", user)
    bob.run("user", "show", code=7)
    machine.run("user", "enable", user)
    bob.run("user", "show", code=7)
    bob.log_in(control, user, "a bell in the fog")
    assert bob.told("user", "show")["name"] == user
    again = machine.told("user", "reset-password", user)["password"]
    bob.typed(*login, answers={"Password:": again, **chosen("a lantern by the pier")})
    machine.run("user", "update", user, "--admin", "--email", "")
    (row,) = [one for one in machine.told("user", "list") if one["name"] == user]
    assert (row["is_platform_admin"], row["email"], row["display_name"]) == (True, None, "Bob")
    assert user in machine.run("user", "create", user, code=6).stderr


def test_a_users_password_may_come_by_standard_input(control: ControlProcess, machine: Machine, tmp_path: Path) -> None:
    user = f"cyd-{next(_NUMBERS)}"
    made = machine.told("user", "create", user, "--password-stdin", given="a lantern by the pier\n")
    assert made["password"] is None
    Machine(tmp_path / "cyd").log_in(control, user, "a lantern by the pier")


def test_connections_are_made_tested_changed_and_deleted(machine: Machine, workspace: str) -> None:
    kinds = {kind["name"]: kind for kind in machine.told("connection", "kinds")}
    (shown,) = [line for line in machine.run("connection", "kinds").stdout.splitlines() if line.startswith("postgres")]
    assert shown.split()[1:4] == ["host,", "database,", "user"]
    assert "password" in kinds["postgres"]["secrets"]
    host = ("--set", "host=127.0.0.1", "--set", "port=1", "--set", "database=meters", "--set", "user=reader")
    secret = ("--secret-stdin", "password")
    made = machine.told("connection", "create", "meters", "--kind", "postgres", *host, *secret, given="oars in a row")
    assert made["config"]["port"] == 1
    assert made["secrets"] == {"password": {"kept": "sealed", "place": None}}
    tested = machine.told("connection", "test", "meters", code=1)
    assert [step["ok"] for step in tested["steps"]] == [True, True, False]
    assert "Hint: " in machine.run("connection", "test", "meters", code=1).stderr
    assert " failed 20" in machine.run("connection", "list").stdout
    variable = f"BOATHOUSE_SECRET_{workspace.upper().replace('-', '_')}__METERS"
    named = ("--secret-env", f"password={variable}")
    changed = machine.told("connection", "update", "meters", "--set", "ssl=disable", *named)
    assert (changed["config"]["ssl"], changed["config"]["host"]) == ("disable", "127.0.0.1")
    assert changed["secrets"]["password"] == {"kept": "variable", "place": variable}
    assert machine.told("connection", "update", "meters", "--unset", "ssl", *named)["config"]["ssl"] == "prefer"
    assert machine.told("connection", "update", "meters", "--remove-secret", "password")["secrets"] == {}
    assert [one["name"] for one in machine.told("connection", "list")] == ["meters"]
    machine.run("connection", "delete", "meters", "--yes")
    assert machine.told("connection", "list") == []
    assert "meters" in machine.run("connection", "show", "meters", code=4).stderr


def test_a_field_that_is_a_list_takes_several(machine: Machine, workspace: str) -> None:
    kafka = ("connection", "create", "events", "--kind", "kafka", "--set", "topic=readings")
    made = machine.told(*kafka, "--set", "servers=a:9092", "--set", "servers=b:9092, c:9092")
    assert (made["config"]["servers"], made["config"]["topic"]) == (["a:9092", "b:9092", "c:9092"], "readings")
    assert machine.told("connection", "update", "events", "--set", "servers=d:1")["config"]["servers"] == ["d:1"]


def test_a_connection_comes_from_a_file(machine: Machine, workspace: str, tmp_path: Path) -> None:
    file = tmp_path / "lake.yaml"
    file.write_text(
        "kind: s3\ndescription: the lake\n"
        "config: {endpoint: 'http://127.0.0.1:1', bucket: lake, access_key: k, writable: false}\n"
        f"secrets: {{secret_key: {{env: BOATHOUSE_SECRET_{workspace.upper().replace('-', '_')}__LAKE}}}}\n"
    )
    made = machine.told("connection", "create", "lake", "--file", str(file), "--set", "region=north")
    assert (made["kind"], made["config"]["writable"], made["config"]["region"]) == ("s3", False, "north")
    file.write_text("kind: s3\nconfig: {bucket: 2026-01-31}\n")
    assert "config.bucket" in machine.run("connection", "create", "lake-2", "--file", str(file), code=3).stderr
    file.write_text("kind: s3\nsecrets: {secret_key: [oars in a row]}\n")
    refused = machine.run("connection", "create", "lake-2", "--file", str(file), code=3)
    assert "secrets.secret_key" in refused.stderr
    assert "oars" not in refused.stderr


def test_a_secret_is_typed_unseen_and_told_nobody(machine: Machine, workspace: str) -> None:
    fields = ("--set", "endpoint=http://127.0.0.1:1", "--set", "bucket=lake", "--set", "access_key=k")
    command = ("connection", "create", "lake", "--kind", "s3", *fields, "--secret", "secret_key")
    refused = machine.run(*command, code=3).stderr
    assert "terminal" in refused
    assert all(option in refused for option in ("--secret-stdin", "--secret-env", "--secret-file"))
    open_ = ("connection", "create", "lake", "--kind", "s3", *fields, "--set", "secret_key=oars in a row")
    refused = machine.run(*open_, code=3).stderr
    assert "secret_key is a secret of s3" in refused
    assert "--secret-stdin secret_key" in refused
    assert "oars" not in refused
    assert "oars in a row" not in machine.typed(*command, answers={"secret_key:": "oars in a row"})
    shown = machine.run("connection", "show", "lake").stdout
    assert "sealed" in shown
    assert "oars in a row" not in shown


def test_tokens_are_listed_and_ended(machine: Machine, workspace: str) -> None:
    made = machine.told("token", "create", "etl", "--role", "runner", "--workspace", workspace, "--days", "3")
    shown = machine.run("token", "list").stdout
    assert made["secret"] not in shown
    (line,) = [line for line in shown.splitlines() if made["id"] in line]
    assert workspace in line.split()
    assert "all of yours" in machine.run("token", "create", "anywhere").stdout
    assert workspace in machine.run("token", "create", "here", "--workspace", workspace).stdout
    assert "--yes" in machine.run("token", "revoke", made["id"], code=3).stderr
    assert made["id"] in machine.run("token", "list").stdout
    machine.run("token", "revoke", made["id"], "--yes")
    assert made["id"] not in machine.run("token", "list").stdout
    assert made["id"] in machine.run("token", "revoke", made["id"], "--yes", code=4).stderr


def test_a_platform_admin_lists_and_ends_the_tokens_of_a_user(
    control: ControlProcess, machine: Machine, tmp_path: Path
) -> None:
    user = f"dot-{next(_NUMBERS)}"
    machine.run("user", "create", user, "--password-stdin", given="a lantern by the pier\n")
    dot = Machine(tmp_path / "dot")
    dot.log_in(control, user, "a lantern by the pier")
    of_user = ("--user", user)
    (token,) = machine.told("token", "list", *of_user)
    assert f"all of {user}'s" in machine.run("token", "list", *of_user).stdout
    assert token["id"] not in machine.run("token", "list").stdout
    assert user in machine.run("token", "revoke", token["id"], *of_user, code=3).stderr
    assert user in machine.run("token", "revoke", token["id"], *of_user, "--yes").stderr
    dot.run("user", "show", code=7)
    assert machine.told("token", "list", *of_user) == []
    assert user in machine.run("token", "revoke", token["id"], *of_user, "--yes", code=4).stderr


def test_the_audit_is_listed_verified_and_exported(machine: Machine, workspace: str, tmp_path: Path) -> None:
    entries = machine.told("audit", "list", "--action", "workspace.create", "--user", "admin", "--since", "2026-01-01")
    assert entries[0]["target"] == f"workspace {workspace}"
    assert machine.told("audit", "list", "--until", "2026-01-01") == []
    of_workspace = machine.told("audit", "list", "--workspace", workspace)
    assert [entry["action"] for entry in of_workspace] == ["workspace.create"]
    assert workspace in machine.run("audit", "list", "--workspace", workspace).stdout.splitlines()[2].split()[6:7]
    assert len(machine.told("audit", "list", "--limit", "2")) == 2
    assert machine.told("audit", "verify")["holds"]
    machine.run("audit", "export", str(tmp_path / "audit.jsonl"))
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [line["number"] for line in lines] == list(range(len(lines), 0, -1))
    assert stat.S_IMODE((tmp_path / "audit.jsonl").stat().st_mode) == 0o600
    assert machine.run("audit", "export").stdout.splitlines()[0].startswith("{")
    machine.run("audit", "export", str(tmp_path / "audit.csv"))
    header, *rows = csv.reader((tmp_path / "audit.csv").read_text().splitlines())
    assert header[:2] == ["number", "at"]
    assert len(rows) == len(lines)
    assert machine.run("audit", "export", "--format", "csv").stdout.startswith("number,at,")
    assert ".jsonl, .json or .csv" in machine.run("audit", "export", str(tmp_path / "audit.txt"), code=3).stderr


def test_an_empty_key_is_refused_and_makes_no_run(machine: Machine, workspace: str, tmp_path: Path) -> None:
    (tmp_path / "oars.yaml").write_text("job: oars\nkind: sql\nspec: {sql: SELECT 1}\n")
    machine.run("job", "apply", str(tmp_path / "oars.yaml"))
    assert "key" in machine.run("job", "run", "oars", "--key", "", "--no-wait", code=3).stderr
    first, again = (machine.told("job", "run", "oars", "--key", "monday", "--no-wait") for _ in range(2))
    assert first["id"] == again["id"]
    assert [one["id"] for one in machine.told("run", "list")] == [first["id"]]


def test_only_a_schedule_can_rest(machine: Machine, workspace: str, tmp_path: Path) -> None:
    (tmp_path / "oars.yaml").write_text("job: oars\nkind: sql\nspec: {sql: SELECT 1}\n")
    machine.run("job", "apply", str(tmp_path / "oars.yaml"))
    assert "oars has no schedule" in machine.run("job", "pause", "oars", code=3).stderr
    assert not machine.told("job", "show", "oars")["paused"]
    with (tmp_path / "oars.yaml").open("a") as file:
        file.write("schedule: {cron: '0 6 * * *', timezone: UTC}\n")
    machine.run("job", "apply", str(tmp_path / "oars.yaml"))
    assert "rests" in machine.run("job", "pause", "oars").stderr
    assert machine.told("job", "show", "oars")["paused"]


def test_a_run_is_done_again_with_other_values(machine: Machine, workspace: str, tmp_path: Path) -> None:
    (tmp_path / "oars.yaml").write_text(
        "job: oars\nkind: sql\nspec: {sql: 'SELECT :n, :day'}\n"
        "parameters: [{name: n, type: integer}, {name: day, type: date}]\n"
    )
    machine.run("job", "apply", str(tmp_path / "oars.yaml"))
    machine.run("job", "run", "oars", "--value", "n=3", "--value", "day=2026-01-31", "--no-wait")
    again = machine.told("run", "rerun", "last", "--value", "day=2026-02-01", "--no-wait")
    assert again["values"] == {"n": 3, "day": "2026-02-01"}
    assert machine.told("run", "rerun", "last", "--no-wait")["values"] == again["values"]


def test_a_job_that_is_refused_is_named_and_keeps_no_other_back(
    machine: Machine, workspace: str, tmp_path: Path
) -> None:
    sql = "job: {}\nkind: sql\nspec: {{{}}}\n"
    for name, spec in {"bow": "sql: SELECT 1", "keel": "", "stern": "sql: SELECT 3"}.items():
        (tmp_path / f"{name}.yaml").write_text(sql.format(name, spec))
    done = machine.run("job", "apply", str(tmp_path), code=3)
    assert f"Error: {tmp_path}/keel.yaml, job keel: The spec of a job" in done.stderr
    assert "2 of 3 jobs are as their files say, 1 not: each is applied by itself." in done.stderr
    assert [line.split() for line in done.stdout.splitlines()[2:]] == [
        ["bow", "created", "1"],
        ["keel", "refused", "-"],
        ["stern", "created", "1"],
    ]
    assert {one["name"] for one in machine.told("job", "list")} == {"bow", "stern"}
    assert f"{tmp_path}/keel.yaml, job keel: " in machine.run("job", "diff", str(tmp_path), code=3).stderr
    alone = machine.run("job", "apply", str(tmp_path / "keel.yaml"), code=3).stderr
    assert alone.count("Error: ") == 1


def test_an_unquoted_date_is_the_text_of_it(machine: Machine, workspace: str, tmp_path: Path) -> None:
    (tmp_path / "oars.yaml").write_text(
        "job: oars\nkind: sql\nspec: {sql: SELECT 1}\n"
        "parameters:\n  - {name: day, type: date, default: 2026-01-31}\n  - {name: at, default: 2026-01-31 10:00:00Z}\n"
    )
    machine.run("job", "apply", str(tmp_path / "oars.yaml"))
    parameters = machine.told("job", "show", "oars")["definition"]["parameters"]
    assert [one["default"] for one in parameters] == ["2026-01-31", "2026-01-31T10:00:00+00:00"]
    assert machine.told("job", "diff", str(tmp_path / "oars.yaml")) == []


def test_tasks_that_are_none_are_refused_by_the_server(machine: Machine, workspace: str, tmp_path: Path) -> None:
    (tmp_path / "trip.yaml").write_text("job: trip\nkind: flow\nspec: {tasks: [nonsense]}\n")
    refused = machine.run("job", "apply", str(tmp_path / "trip.yaml"), code=3).stderr
    assert "tasks.0" in refused
    assert "bug" not in refused


def test_what_is_exported_to_the_output_can_be_applied(machine: Machine, workspace: str, tmp_path: Path) -> None:
    for name in ("bow", "stern"):
        (tmp_path / f"{name}.yaml").write_text(f"job: {name}\nkind: sql\nspec: {{sql: SELECT 1}}\n")
    machine.run("job", "apply", str(tmp_path))
    all_ = tmp_path / "all.yaml"
    all_.write_text(machine.run("job", "export").stdout)
    assert machine.told("job", "diff", str(all_)) == []
    assert [one["was"] for one in machine.told("job", "apply", str(all_))] == ["unchanged", "unchanged"]


def test_a_difference_says_what_is_new_and_whether_there_is_any(
    machine: Machine, workspace: str, tmp_path: Path
) -> None:
    file = tmp_path / "oars.yaml"
    file.write_text("job: oars\nkind: sql\nspec: {sql: SELECT 1}\n")
    shown = machine.run("job", "diff", str(file), code=1).stdout
    assert [line.split() for line in shown.splitlines()[2:]] == [["oars", "new", "-", "sql"]]
    assert {row["what"] for row in machine.told("job", "diff", str(file), code=1)} >= {"kind", "spec"}
    machine.run("job", "apply", str(file))
    assert "Nothing would change." in machine.run("job", "diff", str(file)).stderr
    file.write_text(f"job: oars\nkind: sql\nspec: {{sql: SELECT {'1 + ' * 100}1}}\n")
    (line,) = machine.run("job", "diff", str(file), code=1).stdout.splitlines()[2:]
    assert len(line) < 120
    assert line.endswith("…")
    assert "The versions are the same." in machine.run("job", "compare", "oars", "1", "1").stderr


def test_the_python_client_pages_through_all_there_is(control: ControlProcess, machine: Machine) -> None:
    login = kept(machine).servers["there"]
    with ControlClient(control.url, login.token) as client:
        number = next(_NUMBERS)
        for letter in "abc":
            client.workspaces.create(f"page-{number}-{letter}")
        found = client.transport.pages("/workspaces", dict[str, object], {"limit": 1})
        names = [str(one["name"]) for one in found]
        assert names == sorted(names)
        assert {f"page-{number}-{letter}" for letter in "abc"} <= set(names)
        assert names == [one.name for one in client.workspaces.all()]


def test_a_link_logs_a_browser_in_once(control: ControlProcess, machine: Machine) -> None:
    address, _, code = machine.run("ui", "--no-open").stdout.strip().partition("#")
    assert address == f"{control.url}/login/once"
    with httpx.Client(base_url=control.url, trust_env=False) as browser:
        assert "Logging in" in browser.get("/login/once").text
        assert browser.post("/api/v1/login/once", json={"code": code}).status_code == 200
        assert browser.get("/api/v1/me").json()["name"] == "admin"
        assert browser.post("/api/v1/login/once", json={"code": code}).status_code == 401
    assert code not in (control.directory / "log").read_text()


def test_a_browser_is_opened_on_a_page_that_others_cannot_read(control: ControlProcess, machine: Machine) -> None:
    page = machine.logins.parent / "ui.html"
    browser = machine.directory / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {machine.directory}/opened\n')
    browser.chmod(0o700)
    seeing = Machine(machine.directory, {"BROWSER": f"{browser} %s"})
    # In a process of its own: Python remembers which browsers there are.
    shown = seeing.typed("ui", answers={})
    assert "Opened" in shown
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert f"{control.url}/login/once#bh_" in page.read_text()
    assert (machine.directory / "opened").read_text().strip() == page.as_uri()
    assert "bh_" not in shown


def test_queries_are_cancelled_found_again_saved_and_removed(
    control: ControlProcess, machine: Machine, workspace: str
) -> None:
    """Without a worker: nothing of it is carried out."""
    with ControlClient(control.url, kept(machine).servers["there"].token) as client:
        first = client.queries.ask(workspace, "SELECT 1")
        second = client.queries.ask(workspace, "SELECT :n", parameters=[{"name": "n"}], values={"n": "x"})
    assert [row["id"] for row in machine.told("query", "history")] == [second.id, first.id]
    assert [row["id"] for row in machine.told("query", "history", "--text", "select 1")] == [first.id]
    assert "It is cancelled." in machine.run("query", "cancel", "last").stderr
    assert machine.told("query", "show", second.id)["state"] == "cancelled"
    assert "is cancelled already" in machine.run("query", "cancel", second.id, code=6).stderr
    machine.run("query", "save", "daily", "SELECT 1", "--description", "each day")
    machine.run("query", "save", "daily", "-", given="SELECT 2")
    assert [(row["name"], row["sql"]) for row in machine.told("query", "saved")] == [("daily", "SELECT 2")]
    machine.run("query", "rename", "daily", "each-day")
    assert "no saved query 'daily'" in machine.run("query", "run", "--saved", "daily", code=4).stderr
    assert "ends in .csv" in machine.run("run", "download", "last", "rows.txt", code=3).stderr
    machine.run("query", "remove", "each-day", "--yes")
    assert machine.told("query", "saved") == []
    assert "no saved query 'daily'" in machine.run("query", "run", "--saved", "daily", code=4).stderr
    assert (
        "no connection 'nowhere'" in machine.run("query", "run", "SELECT 1", "--connection", "nowhere", code=3).stderr
    )
    assert "no SQL to ask" in machine.run("query", "run", code=3).stderr

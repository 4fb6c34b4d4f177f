"""From a job's file to its rows, on the lakehouse as `boathouse up` starts it: no login, no server of one's own."""

import json
import re
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.lakehouse_under_test import LakehouseUnderTest

CLI_PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
JOB = """
job: oars
kind: sql
spec:
  sql_file: oars.sql
parameters:
  - {name: n, type: integer, default: 2}
retries: {count: 0}
"""
FLOW = """
job: trip
kind: flow
spec:
  tasks:
    - {name: out, kind: sql, spec: {sql: SELECT 1}}
    - {name: back, after: [out], kind: sql, spec: {sql: "SELECT raise_error('no wind')"}}
"""


class Commands:
    def __init__(self, stack: LakehouseUnderTest, workspace: str) -> None:
        self.stack = stack
        self._workspace = workspace

    def run(self, *arguments: str, code: int = 0) -> CompletedProcess[str]:
        done = self.stack.cli(*arguments, "--workspace", self._workspace)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def told(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", code=code).stdout)


@pytest.fixture(scope="module")
def commands(stack: LakehouseUnderTest) -> Commands:
    made = stack.cli("workspace", "create", "harbour")
    assert made.returncode == 0, made.stderr
    return Commands(stack, "harbour")


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    (tmp_path / "oars.yaml").write_text(JOB)
    (tmp_path / "oars.sql").write_text("SELECT id AS oar,\n       'wood' AS made_of\nFROM range(:n)\nORDER BY id\n")
    return tmp_path


def test_from_a_connection_and_a_file_to_rows_and_again(
    commands: Commands, stack: LakehouseUnderTest, jobs: Path
) -> None:
    lake = stack.access.object_store
    fields = {"endpoint": lake.endpoint, "bucket": lake.bucket, "access_key": lake.access_key.get_secret_value()}
    given = [part for name, value in fields.items() for part in ("--set", f"{name}={value}")]
    commands.run("connection", "create", "lake", "--kind", "s3", *given)
    assert commands.told("connection", "show", "lake")["kind"] == "s3"

    assert {row["what"] for row in commands.told("job", "diff", str(jobs), code=1)} >= {"spec", "kind"}
    assert commands.told("job", "apply", str(jobs))[0]["was"] == "created"
    assert commands.told("job", "apply", str(jobs))[0]["was"] == "unchanged"
    assert commands.told("job", "diff", str(jobs)) == []

    done = commands.run("job", "run", "oars", "--value", "n=3")
    assert "succeeded" in done.stderr
    run = commands.told("run", "show", "last")
    assert (run["job"], run["state"], run["values"], run["requested_by"]) == ("oars", "succeeded", {"n": 3}, "admin")
    assert commands.told("run", "result", "last") == [{"oar": number, "made_of": "wood"} for number in range(3)]
    assert "3 rows kept" in commands.run("run", "logs", "last").stderr

    again = commands.told("run", "rerun", "last")
    assert (again["id"] != run["id"], again["state"], again["values"]) == (True, "succeeded", {"n": 3})
    assert [row["id"] for row in commands.told("run", "list")] == [again["id"], run["id"]]
    actions = {entry["action"] for entry in json.loads(stack.cli("audit", "list", "--json").stdout)}
    assert {"connection.create", "job.apply", "run.submit"} <= actions


def test_a_job_that_is_exported_is_the_job(commands: Commands, jobs: Path, tmp_path: Path) -> None:
    commands.run("job", "apply", str(jobs / "oars.yaml"))
    commands.run("job", "export", "oars", "--to", str(tmp_path / "out"))
    text = (tmp_path / "out" / "oars.yaml").read_text()
    assert "  sql: |\n    SELECT id AS oar,\n" in text
    assert commands.told("job", "diff", str(tmp_path / "out")) == []


def test_versions_are_compared_and_rolled_back(commands: Commands, jobs: Path) -> None:
    commands.run("job", "apply", str(jobs / "oars.yaml"))
    first = commands.told("job", "show", "oars")["version"]
    (jobs / "oars.sql").write_text("SELECT 1")
    commands.run("job", "apply", str(jobs / "oars.yaml"))
    assert [row["what"] for row in commands.told("job", "compare", "oars", str(first), str(first + 1))] == ["spec.sql"]
    commands.run("job", "roll-back", "oars", str(first))
    assert commands.told("job", "compare", "oars", str(first), str(first + 2)) == []


def test_a_flow_that_fails_says_which_task_and_why(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "trip.yaml").write_text(FLOW)
    commands.run("job", "apply", str(tmp_path))
    failed = commands.told("job", "run", "trip", code=1)
    assert failed["state"] == "failed"
    assert "The task back failed" in failed["error"]
    assert "no wind" in failed["error"]
    assert {task["name"]: task["run"]["state"] for task in failed["tasks"]} == {"out": "succeeded", "back": "failed"}
    assert commands.run("run", "logs", failed["id"]).stderr.startswith("[out] ")
    again = commands.told("run", "retry", failed["id"], code=1)
    assert (again["attempt"], again["tasks"][0]["run"]["attempt"], again["tasks"][1]["run"]["attempt"]) == (2, 1, 2)


def test_a_flow_is_watched_by_what_its_tasks_say(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "trip.yaml").write_text(FLOW)
    commands.run("job", "apply", str(tmp_path))
    told = commands.run("job", "run", "trip", code=1).stderr
    assert "[out] 1 row" in told
    assert "[out] succeeded" in told
    assert "[back] failed: " in told
    assert "failed: The task back failed" in told


def test_a_flow_of_jobs_is_made_after_them_and_runs_them(commands: Commands, jobs: Path) -> None:
    (jobs / "a-flow.yaml").write_text(
        "job: a-flow\nkind: flow\nspec:\n  tasks:\n    - {name: row, job: oars, values: {n: 4}}\n"
    )
    was = {row["job"] for row in commands.told("job", "apply", str(jobs))}
    assert was == {"a-flow", "oars"}
    run = commands.told("job", "run", "a-flow")
    (task,) = run["tasks"]
    assert (task["job"], task["run"]["job"], task["run"]["values"]) == ("oars", "oars", {"n": 4})
    assert len(commands.told("run", "result", task["run"]["id"])) == 4


def test_the_example_for_python_does_what_it_says(stack: LakehouseUnderTest) -> None:
    # Others may have made it.
    assert stack.cli("workspace", "create", "north").returncode in {0, 6}
    (example,) = re.findall(r"```python\n(.*?)```", CLI_PAGE.read_text(), re.DOTALL)
    command = [sys.executable, "-c", example]
    done = subprocess.run(command, env=stack.env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[-2:] == ["succeeded", "[[0, 0], [1, 2], [2, 4]]"]


def test_a_query_is_asked_and_its_rows_are_shown(commands: Commands, tmp_path: Path) -> None:
    asked = ("query", "run", "SELECT id + :n AS id, :name AS name FROM range(3) ORDER BY id")
    values = ("--value", "n:integer=10", "--value", "name=it's")
    assert commands.told(*asked, *values) == [{"id": number, "name": "it's"} for number in range(10, 13)]
    csv = commands.run(*asked, *values, "--format", "csv", "--limit", "2")
    assert csv.stdout == "id,name\n10,it's\n11,it's\n"
    assert "more were left out" in csv.stderr
    told = commands.told("query", "show", "last")
    assert (told["engine"], told["state"], told["rows"]) == ("spark", "succeeded", 2)
    (tmp_path / "wrong.sql").write_text("SELECT nothing")
    failed = commands.run("query", "run", "--file", str(tmp_path / "wrong.sql"), code=1)
    assert "^^^^^^^" in failed.stderr
    assert "OK" in commands.run("query", "run", "CREATE NAMESPACE IF NOT EXISTS asked").stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: sql\n", "the job's name is missing"),
        ("job: xx\nkind: sql\nspec: {sql_file: nowhere.sql}\n", "nowhere.sql"),
        ("job: xx\nkind: sql\nspec: {}\n", "sql: is missing"),
        ("job: x\nkind: [\n", "x.yaml"),
        ("job: x\nkind: pipeline\nspec: {pipeline: {pipeline: p}}\n", "source"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_reason(
    commands: Commands, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "x.yaml").write_text(text)
    done = commands.stack.cli("job", "apply", str(tmp_path / "x.yaml"), "--workspace", "harbour")
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr

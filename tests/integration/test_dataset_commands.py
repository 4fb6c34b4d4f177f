"""From jobs to the tables they made, and who reads and writes them, on the lakehouse as `boathouse up` starts it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lakehouse_under_test import LakehouseUnderTest

SQL = """
job: {name}
kind: sql
spec:
  sql: |
    {sql}
"""
PROGRAM = """
job: program
kind: spark
spec:
  code: |
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.getOrCreate()
    spark.sql("SELECT id * 2 AS id FROM harbour_lineage.a").writeTo("harbour_lineage.c").createOrReplace()
  reads: [harbour_lineage.a]
  writes: [harbour_lineage.c]
"""
PIPELINE = """
job: load
kind: pipeline
spec:
  pipeline:
    pipeline: boats
    source: {{path: "{file}", format: csv}}
    schema: {{id: int, name: string}}
    target: {{table: harbour_lineage.boats}}
"""


class Commands:
    def __init__(self, stack: LakehouseUnderTest, directory: Path) -> None:
        self._stack = stack
        self._directory = directory
        made = stack.cli("workspace", "create", "lineage")
        assert made.returncode == 0, made.stderr

    def run(self, *arguments: str) -> str:
        done = self._stack.cli(*arguments, "--workspace", "lineage")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def told(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json"))

    def carry_out(self, name: str, text: str) -> Any:
        """Apply the job and run it to its end."""
        file = self._directory / f"{name}.yaml"
        file.write_text(text)
        self.run("job", "apply", str(file))
        run = self.told("job", "run", name)
        assert run["state"] == "succeeded", run["error"]
        return run["id"]

    def get(self, path: str) -> Any:
        """What has no command of its own, by the API."""
        import httpx

        control = self._stack.access.control
        assert control is not None
        headers = {"Authorization": f"Bearer {control.token.get_secret_value()}"}
        url = f"{control.uri}/api/v1/workspaces/lineage/{path}"
        return httpx.get(url, headers=headers, timeout=60, trust_env=False).raise_for_status().json()

    def graph(self, dataset: str) -> set[tuple[str, str]]:
        graph = self.told("dataset", "lineage", dataset)
        names = {node["id"]: node["name"] for node in graph["nodes"]}
        return {(names[edge["source"]], names[edge["target"]]) for edge in graph["edges"]}


@pytest.fixture(scope="module")
def commands(stack: LakehouseUnderTest, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(stack, tmp_path_factory.mktemp("jobs"))


def test_from_jobs_to_datasets_and_their_lineage(commands: Commands, tmp_path: Path) -> None:
    sql = "CREATE NAMESPACE IF NOT EXISTS harbour_lineage; CREATE TABLE harbour_lineage.a AS SELECT id FROM range(10)"
    first = commands.carry_out("first", SQL.format(name="first", sql=sql))
    sql = "CREATE TABLE harbour_lineage.b (id bigint); INSERT INTO harbour_lineage.b SELECT id FROM harbour_lineage.a"
    second = commands.carry_out("second", SQL.format(name="second", sql=sql))
    third = commands.carry_out("program", PROGRAM)
    (tmp_path / "boats.csv").write_text("id,name\n1,Heron\n2,Swift\n")
    fourth = commands.carry_out("load", PIPELINE.format(file=tmp_path / "boats.csv"))

    assert commands.told("dataset", "sync")["added"] >= 4
    assert commands.told("dataset", "sync")["added"] == 0
    found = {one["name"]: one for one in commands.told("dataset", "search", "harbour_lineage", "id")}
    assert {name: one["rows"] for name, one in found.items()} == {
        "harbour_lineage.a": 10,
        "harbour_lineage.b": 10,
        "harbour_lineage.c": 10,
        "harbour_lineage.boats": 2,
    }
    shown = commands.told("dataset", "show", "harbour_lineage.b")
    assert [(column["name"], column["type"]) for column in shown["table"]["columns"]] == [("id", "long")]
    assert {fact["name"]: fact["verdict"] for fact in shown["health"]["facts"]}["small-files"] == "fine"
    assert "64 MiB" in commands.run("dataset", "show", "harbour_lineage.b")

    wrote = {"a": (first, "first"), "b": (second, "second"), "c": (third, "program"), "boats": (fourth, "load")}
    for table, (run, job) in wrote.items():
        snapshots = commands.get(f"datasets/harbour_lineage.{table}/snapshots")["items"]
        assert snapshots[0]["run"] == {"id": run, "job": job}, table
    files = commands.get("datasets/harbour_lineage.a/files")["items"]
    assert sum(file["rows"] for file in files) == 10
    assert commands.get("datasets/harbour_lineage.a/sizes")["files"] == len(files)

    newest = commands.told("dataset", "snapshots", "harbour_lineage.a")[0]
    assert (newest["current"], newest["run"]["job"]) == (True, "first")
    assert "first" in commands.run("dataset", "snapshots", "harbour_lineage.a")
    assert sum(one["rows"] for one in commands.told("dataset", "partitions", "harbour_lineage.a")) == 10
    assert commands.told("dataset", "grants", "harbour_lineage.a")["enforced"] is False
    back = commands.told("dataset", "roll-back", "harbour_lineage.a", newest["id"], "--yes")
    assert back == {"snapshot_id": newest["id"], "before": newest["id"], "changed": False}

    assert commands.graph("harbour_lineage.a") == {
        ("first", "harbour_lineage.a"),
        ("harbour_lineage.a", "second"),
        ("second", "harbour_lineage.b"),
        ("harbour_lineage.a", "program"),
        ("program", "harbour_lineage.c"),
    }
    assert commands.graph("harbour_lineage.boats") == {
        (str(tmp_path / "boats.csv"), "load"),
        ("load", "harbour_lineage.boats"),
    }
    end = commands.get(f"runs/{second}/openlineage")[-1]
    assert [one["name"] for one in end["inputs"] + end["outputs"]] == ["harbour_lineage.a", "harbour_lineage.b"]


def test_what_is_said_of_a_dataset_is_changed_and_forgotten(commands: Commands) -> None:
    made = commands.told("dataset", "register", "paper.logs", "--format", "csv", "--tag", "old", "--owner", "Ann")
    assert (made["owner"], made["tags"], made["catalog"]) == ("Ann", ["old"], None)
    changed = commands.told("dataset", "edit", "paper.logs", "--description", "On paper", "--no-tags")
    assert (changed["description"], changed["tags"], changed["owner"]) == ("On paper", [], "Ann")
    assert [one["name"] for one in commands.told("dataset", "list", "--owner", "Ann")] == ["paper.logs"]
    assert commands.told("dataset", "show", "paper.logs")["table"] is None
    commands.run("dataset", "remove", "paper.logs", "--yes")
    assert commands.told("dataset", "search", "paper.logs") == []

"""A pipeline's job is carried out by the commands that people use, and its report is kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import SecretStr

from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.control.jobs.kinds.pipeline import Pipeline
from boathouse.engines.spark.attempts import session_id
from boathouse.kit.access import SparkAccess

SPEC = {"pipeline": "orders", "source": {"path": "s3://lake/{{day}}.csv"}, "target": {"table": "sales.orders"}}
REJECT = "0" * 32


def carried_out(folder: Path, spec: Mapping[str, Any]) -> tuple[list[str], Any]:
    """The words of the command after the file, and the report."""
    words: list[str] = []
    reports: list[Any] = []

    def run(command: Sequence[str], environment: Mapping[str, str]) -> None:
        assert environment == {"BOATHOUSE_RUN_SPARK_SESSION": session_id("a run", 1)}
        file, report = command[command.index("boathouse.cli.main") + 3], command[command.index("--report") + 1]
        assert "s3://lake/monday.csv" in Path(file).read_text()
        Path(report).write_text('{"rows_in": 3}')
        words.extend(word for word in command[4:] if word not in {file, "--report", report})

    spark = SparkAccess(remote="sc://localhost:1", token=SecretStr("hush"), catalog="lake")
    attempt = SimpleNamespace(
        spec={"pipeline": SPEC, **spec},
        values={"day": "monday"},
        scratch=str(folder),
        run_id="a run",
        number=1,
        lake=lambda: SimpleNamespace(spark=spark),
        run=run,
        report=reports.append,
    )
    Pipeline().execute(cast(Attempt, attempt))
    return words, reports


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({}, ["pipeline", "run"]),
        ({"again": True}, ["pipeline", "run", "--again"]),
        ({"replay": {}}, ["deadletter", "replay", "--all"]),
        ({"replay": {"ids": [REJECT], "by": "ann"}}, ["deadletter", "replay", "--by=ann", REJECT]),
        ({"replay": {"reason": "--x is not int"}}, ["deadletter", "replay", "--reason=--x is not int"]),
        ({"replay": {"load_id": "l", "file": "f"}}, ["deadletter", "replay", "--load=l", "--file=f"]),
    ],
)
def test_it_is_a_command(tmp_path: Path, spec: Mapping[str, Any], words: list[str]) -> None:
    assert carried_out(tmp_path, spec) == (words, [{"rows_in": 3}])


def test_a_replay_reads_the_rejects_and_not_the_files() -> None:
    attempt = SimpleNamespace(spec={"pipeline": SPEC, "replay": {}}, values={"day": "monday"})
    touched = Pipeline().touched(cast(Attempt, attempt))
    assert (touched.reads, touched.writes) == (frozenset({"sales.orders__rejects"}), frozenset({"sales.orders"}))

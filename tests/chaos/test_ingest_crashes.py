"""A load killed at any step leaves nothing behind, and running it again gives the right result."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import NotFound
from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack

ROWS = 20_000
SPEC = """
pipeline: crashing
source: {{path: data.csv, format: csv}}
schema: {{id: bigint, word: string, extra: string}}
expectations:
  - {{check: id % 100 <> 7}}
target: {{table: {namespace}.words{keys}}}
"""
STEPS = ["fingerprinting", "reading", "writing", "rejected", "publishing"]
MODES = {"append": "", "merge": ", mode: merge, keys: [id]"}


def lakehouse_state(stack: LakehouseUnderTest, namespace: str) -> dict[str, object]:
    """Every table of the namespace with its version: what a reader could see."""
    with CatalogClient(stack.access.catalog) as client:
        try:
            names = list(client.tables((namespace,)))
        except NotFound:
            return {}
        return {str(name): client.load_table(name).metadata for name in names}


def run_until(stack: LakehouseUnderTest, spec: Path, step: str) -> None:
    """Start the load and kill it as it says that it begins the step."""
    command = [sys.executable, "-m", "boathouse.cli.main", "pipeline", "run", str(spec)]
    process = subprocess.Popen(command, env=stack.env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if step in line:
                os.kill(process.pid, signal.SIGKILL)
                break
        else:
            pytest.fail(f"the load ended before it came to {step!r}")
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def write_rows(folder: Path, first: int) -> None:
    rows = (f"{n},word-{n},x" for n in range(first, first + ROWS))
    (folder / "data.csv").write_text("\n".join(["id,word,extra", *rows, ""]))


def run(stack: LakehouseUnderTest, spec: Path) -> dict[str, int]:
    done = stack.cli("pipeline", "run", str(spec), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("mode", MODES)
def test_killed_at_a_step_it_leaves_nothing_and_runs_again(
    stack: LakehouseUnderTest, tmp_path: Path, mode: str
) -> None:
    """At each in turn, so that what one leaves is there when the next begins."""
    namespace = f"crash_{mode}"
    spec = tmp_path / "spec.yaml"
    # The table is there already and lacks a column, so that a crash could also leave a changed schema.
    spec.write_text(SPEC.format(namespace=namespace, keys=MODES[mode]).replace(", extra: string", ""))
    (tmp_path / "data.csv").write_text("id,word\n-1,first\n")
    run(stack, spec)
    spec.write_text(SPEC.format(namespace=namespace, keys=MODES[mode]))
    write_rows(tmp_path, 0)
    before = lakehouse_state(stack, namespace)

    published = False
    for step in STEPS:
        run_until(stack, spec, step)
        published = lakehouse_state(stack, namespace) != before
        # Killed while it says `publishing`, it may have got through; then everything must be there.
        assert not published or step == "publishing"

    report = run(stack, spec)
    assert report["rows_written"] == (0 if published else ROWS - ROWS // 100)
    good, rejected, loads = counts(stack, namespace)
    assert (good, rejected, loads) == (1 + ROWS - ROWS // 100, ROWS // 100, 2)
    with CatalogClient(stack.access.catalog) as client:
        assert not [name for name in client.tables(("_staging",)) if name.name.startswith(namespace)]


def counts(stack: LakehouseUnderTest, namespace: str) -> tuple[int, ...]:
    selects = ", ".join(f"(select count(*) from {namespace}.words{suffix})" for suffix in ("", "__rejects", "__loads"))
    answer = stack.cli("sql", f"select {selects}", "--format", "csv")
    assert answer.returncode == 0, answer.stderr
    return tuple(int(value) for value in answer.stdout.splitlines()[1].split(","))


def test_a_first_load_killed_before_publishing_leaves_no_table(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(SPEC.format(namespace="crash_first", keys=""))
    write_rows(tmp_path, 0)
    run_until(stack, spec, "rejected")
    assert lakehouse_state(stack, "crash_first") == {}
    assert run(stack, spec)["rows_written"] == ROWS - ROWS // 100


def test_two_loads_at_once_both_arrive(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    """They stage on the same version; the one that publishes second prepares its load anew."""
    processes: list[subprocess.Popen[str]] = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_rows(folder, number * ROWS)
        (folder / "spec.yaml").write_text(SPEC.format(namespace="crash_race", keys=""))
        command = [sys.executable, "-m", "boathouse.cli.main", "pipeline", "run", str(folder / "spec.yaml"), "--json"]
        processes.append(
            subprocess.Popen(command, env=stack.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
    for process in processes:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    assert counts(stack, "crash_race") == (2 * (ROWS - ROWS // 100), 2 * ROWS // 100, 2)
    with CatalogClient(stack.access.catalog) as client:
        metadata = client.load_table(TableName(("crash_race",), "words")).metadata
    assert len(metadata["snapshots"]) == 2


def test_two_loads_of_the_same_file_at_once_load_it_once(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    write_rows(tmp_path, 0)
    spec = tmp_path / "spec.yaml"
    spec.write_text(SPEC.format(namespace="crash_twins", keys=""))
    command = [sys.executable, "-m", "boathouse.cli.main", "pipeline", "run", str(spec), "--json"]
    twins = [
        subprocess.Popen(command, env=stack.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in twins:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
    assert counts(stack, "crash_twins") == (ROWS - ROWS // 100, ROWS // 100, 1)

"""Streaming pipelines with real workers that are killed and told to stop: no program is left behind, and another worker goes on.

A program that needs no Postgres, Kafka and ClickHouse stands in for ours.
"""

import json
import os
import signal
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.fake_stream.program import HERE
from tests.integration.catalog_process import free_port
from tests.integration.control_commands import Machine
from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import PATIENCE, WorkerProcess, Workspace, workers

# Long enough for a busy machine: a worker that cannot beat in time loses its runs.
LEASE = ("--lease-seconds", "15")
JOB = """
job: meters
kind: stream
spec:
  pipeline_file: meters.yaml
retries: {count: 0}
"""
PIPELINE: dict[str, Any] = {
    "pipeline": "meters",
    "source": {"kind": "postgres", "tables": ["public.readings"]},
    "bronze": {"table": "meters_log.changes"},
    "speed": {"database": "meters"},
    "aims": {"events_per_second": 2000},
}
Start = Callable[..., WorkerProcess]


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Generator[ControlProcess]:
    with ControlProcess(tmp_path_factory.mktemp("control")) as control:
        yield control


@pytest.fixture(scope="module")
def workspace(control: ControlProcess) -> Generator[Workspace]:
    workspace = Workspace(control)
    yield workspace
    workspace.http.close()


@pytest.fixture
def start(control: ControlProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Start]:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    with workers(control, tmp_path / "home") as start:
        yield start


@pytest.fixture
def machine(control: ControlProcess, workspace: Workspace, tmp_path: Path) -> Machine:
    """With the job's files, in use by an editor."""
    machine = Machine(tmp_path)
    machine.log_in(control)
    machine.run("workspace", "use", "north")
    (tmp_path / "job.yaml").write_text(JOB)
    (tmp_path / "meters.yaml").write_text(json.dumps({**PIPELINE, "description": json.dumps({"last_batch": 1})}))
    machine.run("job", "apply", str(tmp_path / "job.yaml"))
    return machine


def programs(workspace: Workspace, run: str) -> list[int]:
    """Those that ever followed for this run, by their own word."""
    return [int(line.rpartition(" ")[2]) for line in workspace.log(run) if "begins as process" in line]


def runs(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def flows(workspace: Workspace, run: str, attempt: int = 1) -> None:
    def told(run: Any) -> bool:
        return run["attempt"] == attempt and bool(run["progress"]) and run["progress"]["stream"]["state"] == "running"

    workspace.wait_until(run, told)


def test_a_killed_workers_stream_is_taken_up_by_another_and_never_followed_twice(
    workspace: Workspace, machine: Machine, start: Start
) -> None:
    first = start("first", *LEASE)
    run = workspace.submit("meters", otherwise="replace")
    flows(workspace, run)
    (program,) = programs(workspace, run)
    first.end(signal.SIGKILL)
    eventually(lambda: not runs(program))
    start("second", *LEASE)
    flows(workspace, run, attempt=2)
    _, program = programs(workspace, run)
    assert runs(program)
    machine.run("run", "stop", run)
    assert workspace.ended(run)["state"] == "cancelled"
    assert not runs(program)
    assert "The last batch is written" in workspace.log(run)


def test_it_is_measured_and_shown_by_commands(workspace: Workspace, machine: Machine, start: Start) -> None:
    port = free_port()
    start("measured", "--metrics-port", str(port), *LEASE)
    run = json.loads(machine.run("job", "run", "meters", "--no-wait", "--json").stdout)["id"]
    flows(workspace, run)

    def figures() -> list[str]:
        answer = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False, timeout=30)
        return [line for line in answer.text.splitlines() if line.startswith("boathouse_stream_")]

    labels = '{hop="speed",job="meters",workspace="north"}'
    assert any(line.startswith(f"boathouse_stream_events_total{labels} ") for line in figures())
    assert 'boathouse_stream_aim_events_per_second{job="meters",workspace="north"} 2000.0' in figures()
    for which in ([], ["meters"], [str(machine.directory / "meters.yaml")], [str(machine.directory / "job.yaml")]):
        told = machine.run("pipeline", "status", *which).stdout
        assert "meters  running" in told
        assert "Kafka to ClickHouse" in told
    machine.run("run", "stop", "last")
    workspace.ended(run)
    eventually(lambda: not figures())
    assert "stopped" in machine.run("pipeline", "status", "meters").stdout
    assert json.loads(machine.run("run", "show", run, "--json").stdout)["kind"] == "stream"


def test_a_worker_that_is_told_to_stop_lets_the_program_finish(
    workspace: Workspace, machine: Machine, start: Start
) -> None:
    worker = start("leaving", "--drain-seconds", "0", *LEASE)
    run = workspace.submit("meters")
    flows(workspace, run)
    assert worker.end(signal.SIGTERM) == 0
    assert "The last batch is written" in workspace.log(run)
    assert workspace.run(run)["state"] == "pending"
    machine.run("run", "stop", run)

"""Real workers on a real lakehouse: what they carry out, and what becomes of it when they are killed, paused or stopped."""

import json
import signal
import sqlite3
import time
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
import pytest

from tests.integration.control_process import ControlProcess
from tests.integration.worker_process import PATIENCE, WorkerProcess, Workspace, workers
from tests.lakehouse_under_test import LakehouseUnderTest
from tests.postgres_server import PostgresServer

# Long enough for a busy machine: a worker that cannot beat in time loses its runs.
LEASE = ("--lease-seconds", "10")
# Says when it begins and ends, and whether it finds another at work on the same run.
PROGRAM = """
import os, pathlib, sys, time
directory = pathlib.Path(sys.argv[1]); seconds = float(sys.argv[2])
run = os.environ["BOATHOUSE_RUN_ID"]
mine = directory / f"{run}.{os.getpid()}"
others = [int(path.suffix[1:]) for path in directory.glob(f"{run}.*") if path.suffix[1:].isdigit()]
alive = [pid for pid in others if pathlib.Path(f"/proc/{pid}").exists()]
with (directory / "story").open("a") as story:
    story.write(f"{run} {'DOUBLED' if alive else 'begins'} {os.getpid()}\\n")
mine.touch()
print("at work", flush=True)
time.sleep(seconds)
with (directory / "story").open("a") as story:
    story.write(f"{run} ends {os.getpid()}\\n")
mine.unlink()
"""
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
def start(control: ControlProcess, stack: LakehouseUnderTest) -> Generator[Start]:
    with workers(control, stack.home) as start:
        yield start


class Story:
    """What the programs wrote down."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / "story"

    def lines(self) -> list[list[str]]:
        return [line.split() for line in self._file.read_text().splitlines()] if self._file.exists() else []

    def of(self, run_id: str) -> list[str]:
        return [what for run, what, _ in self.lines() if run == run_id]

    def wait_for(self, run_id: str, times: int = 1) -> int:
        """The process that began last."""
        deadline = time.monotonic() + PATIENCE
        while self.of(run_id).count("begins") < times:
            assert time.monotonic() < deadline, self.lines()
            time.sleep(0.05)
        return int([pid for run, what, pid in self.lines() if run == run_id and what == "begins"][-1])


def job(workspace: Workspace, name: str, directory: Path, seconds: float, **more: object) -> None:
    spec = {"code": PROGRAM, "arguments": [str(directory), str(seconds)]}
    workspace.job(name, kind="spark", spec=spec, concurrency={"most": 100}, **more)


def wait_for_line(workspace: Workspace, run_id: str, text: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while text not in workspace.log(run_id):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while psutil.pid_exists(pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_sql_with_parameters_leaves_rows_that_can_be_paged(workspace: Workspace, start: Start) -> None:
    start("sql")
    workspace.job(
        "numbers",
        kind="sql",
        spec={
            "sql": "SELECT id, :day AS day, CAST(id AS DECIMAL(9, 2)) AS amount FROM range(:n) ORDER BY id",
            "rows": 30,
        },
        parameters=[{"name": "n", "type": "integer"}, {"name": "day", "type": "date", "default": "2026-02-01"}],
    )
    run = workspace.ended(workspace.submit("numbers", values={"n": 40}))
    assert (run["state"], run["result"]["rows"], run["result"]["truncated"]) == ("succeeded", 30, True)
    page = workspace.http.get(f"/runs/{run['id']}/result", params={"offset": 20, "limit": 5}).json()
    assert page["rows"] == [[number, "2026-02-01", f"{number}.00"] for number in range(20, 25)]
    assert ([column["name"] for column in page["columns"]], page["next"]) == (["id", "day", "amount"], "25")
    last = workspace.http.get(f"/runs/{run['id']}/result", params={"offset": 25, "limit": 100}).json()
    assert (len(last["rows"]), last["next"], last["total"]) == (5, None, 30)


def test_an_error_in_sql_is_on_the_run_and_points_at_its_place(workspace: Workspace, start: Start) -> None:
    start("errors")
    workspace.job("wrong", kind="sql", spec={"sql": "SELECT nothing FROM nowhere"})
    run = workspace.ended(workspace.submit("wrong"))
    assert run["state"] == "failed"
    assert "nowhere" in run["error"]
    assert any("^^^" in line for line in workspace.log(run["id"]))


def test_its_log_says_of_which_run_job_and_task_it_speaks_and_with_which_code_it_failed(
    workspace: Workspace, start: Start
) -> None:
    tasks = [{"name": "look", "kind": "sql", "spec": {"sql": "SELECT nothing FROM lake.nowhere.at_all"}}]
    workspace.job("told", kind="flow", spec={"tasks": tasks})
    worker = start("told")
    flow = workspace.submit("told")
    assert workspace.ended(flow)["state"] == "failed"
    lines = [json.loads(line) for line in worker.log.read_text().splitlines() if line.startswith("{")]
    (ended,) = [line for line in lines if line["event"] == "attempt.ended"]
    told = {name: ended[name] for name in ("flow", "task", "job", "workspace", "attempt", "outcome", "code")}
    assert told == {
        "flow": flow,
        "task": "look",
        "job": "told",
        "workspace": "north",
        "attempt": 1,
        "outcome": "failed",
        "code": "not-found",
    }


def test_a_statement_under_way_can_be_stopped(workspace: Workspace, start: Start) -> None:
    start("stops")
    workspace.job("endless", kind="sql", spec={"sql": "SELECT count(*) FROM range(100000000000) WHERE sqrt(id) < 0"})
    run_id = workspace.submit("endless")
    workspace.wait_until(run_id, lambda run: bool(run["progress"]))
    workspace.http.post(f"/runs/{run_id}/stop").raise_for_status()
    run = workspace.ended(run_id)
    assert (run["state"], run["error"]) == ("cancelled", "Stopped by admin.")


def test_a_program_prints_into_the_log_uses_spark_and_takes_too_long(workspace: Workspace, start: Start) -> None:
    start("programs")
    code = """
import sys, time
from pyspark.sql import SparkSession
print(SparkSession.builder.getOrCreate().range(int(sys.argv[1])).count(), "rows")
print("a warning", file=sys.stderr)
time.sleep(float(sys.argv[2]))
"""
    spec = {"code": code, "arguments": ["{{n}}", "{{seconds}}"]}
    parameters = [{"name": "n", "type": "integer", "default": 7}, {"name": "seconds", "type": "number", "default": 0}]
    workspace.job("program", kind="spark", spec=spec, parameters=parameters)
    run = workspace.ended(workspace.submit("program"))
    assert run["state"] == "succeeded", workspace.log(run["id"])
    assert {"7 rows", "a warning"} <= set(workspace.log(run["id"]))
    workspace.job("program", kind="spark", spec=spec, parameters=parameters, timeout_seconds=30)
    run = workspace.ended(workspace.submit("program", values={"seconds": 600}))
    assert (run["state"], run["error"]) == ("timed-out", "It took longer than 30 s.")


def test_a_program_is_not_told_how_to_reach_the_control_plane(workspace: Workspace, start: Start) -> None:
    start("secrets")
    code = "import os; print([name for name in os.environ if name.startswith('BOATHOUSE_CONTROL')])"
    workspace.job("curious", kind="spark", spec={"code": code})
    run = workspace.ended(workspace.submit("curious"))
    assert "[]" in workspace.log(run["id"])


def test_a_pipeline_is_a_job(workspace: Workspace, start: Start, tmp_path: Path) -> None:
    start("pipelines")
    (tmp_path / "oars.csv").write_text("id,name\n1,left\n2,right\n")
    pipeline = {
        "pipeline": "oars",
        "source": {"format": "csv", "path": "{{path}}"},
        "target": {"table": "worker_pipeline.oars"},
    }
    workspace.job("oars", kind="pipeline", spec={"pipeline": pipeline}, parameters=[{"name": "path"}])
    run = workspace.ended(workspace.submit("oars", values={"path": str(tmp_path / "oars.csv")}))
    assert run["state"] == "succeeded", workspace.log(run["id"])
    workspace.job("look", kind="sql", spec={"sql": "SELECT name FROM worker_pipeline.oars ORDER BY id"})
    run = workspace.ended(workspace.submit("look"))
    assert workspace.http.get(f"/runs/{run['id']}/result").json()["rows"] == [["left"], ["right"]]


def test_what_spark_did_is_recorded_of_every_kind_of_job(workspace: Workspace, start: Start, tmp_path: Path) -> None:
    start("watching")
    (tmp_path / "trips.csv").write_text("boat,day\n" + "".join(f"{n % 7},{n % 3}\n" for n in range(1_000)))
    pipeline = {
        "pipeline": "trips",
        "source": {"format": "csv", "path": str(tmp_path / "trips.csv")},
        "schema": {"boat": "int", "day": "int"},
        "target": {"table": "worker_watching.trips", "mode": "merge", "keys": ["boat"], "latest_by": "day"},
    }
    code = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
print(spark.range(100_000).selectExpr("id % 100 AS k").groupBy("k").count().orderBy("count").collect()[0])
"""
    sql = "SELECT id % 100 AS k, count(*) AS n FROM range(100000) GROUP BY 1 ORDER BY n"
    workspace.job("pipeline", kind="pipeline", spec={"pipeline": pipeline})
    workspace.job("program", kind="spark", spec={"code": code})
    workspace.job("statement", kind="sql", spec={"sql": sql})
    for name in ("pipeline", "program", "statement"):
        run = workspace.ended(workspace.submit(name))
        assert run["state"] == "succeeded", workspace.log(run["id"])
        (attempt,) = run["attempts"]
        stages, jobs = attempt["stages"], attempt["spark_jobs"]
        assert sum(stage["shuffle_bytes_written"] for stage in stages) > 0, (name, stages)
        assert sum(stage["shuffle_bytes_read"] for stage in stages) > 0
        assert all(stage["began"] <= stage["ended"] for stage in stages)
        assert all(stage["tasks_done"] == stage["tasks"] for stage in stages)
        assert {job["state"] for job in jobs} == {"succeeded"}
        assert {stage["id"] for stage in stages} <= {number for job in jobs for number in job["stages"]}
        told = run["progress"]
        assert (told["jobs"], told["jobs_done"], told["stages_done"]) == (len(jobs), len(jobs), len(stages))
        assert told["shuffle_bytes_written"] == sum(stage["shuffle_bytes_written"] for stage in stages)
        assert "each_stage" not in told
        assert "each_job" not in told


def test_a_killed_workers_run_ends_with_it_and_is_done_by_another(
    workspace: Workspace, start: Start, tmp_path: Path
) -> None:
    story = Story(tmp_path)
    job(workspace, "killed", tmp_path, 8)
    doomed = start("doomed", *LEASE)
    run_id = workspace.submit("killed")
    pid = story.wait_for(run_id)
    wait_for_line(workspace, run_id, "at work")
    doomed.end(signal.SIGKILL)
    wait_until_gone(pid)
    start("heir", *LEASE)
    run = workspace.ended(run_id)
    assert (run["state"], story.of(run_id)) == ("succeeded", ["begins", "begins", "ends"])
    assert [(one["worker"], one["state"]) for one in run["attempts"]] == [("doomed", "failed"), ("heir", "succeeded")]
    assert workspace.log(run_id).count("at work") == 2


def pause_between_writes(worker: WorkerProcess, control: ControlProcess) -> None:
    """One that stands still within a write holds up everybody on SQLite, which has one writer at a time."""
    database = sqlite3.connect(control.database.removeprefix("sqlite:///"), timeout=0.5, isolation_level=None)
    while True:
        worker.send(signal.SIGSTOP)
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            worker.send(signal.SIGCONT)
            time.sleep(0.1)
        else:
            database.execute("ROLLBACK")
            database.close()
            return


def test_a_paused_workers_run_ends_before_another_has_it(
    workspace: Workspace, control: ControlProcess, start: Start, tmp_path: Path
) -> None:
    story = Story(tmp_path)
    job(workspace, "paused", tmp_path, 12)
    paused = start("paused", *LEASE)
    run_id = workspace.submit("paused")
    story.wait_for(run_id)
    pause_between_writes(paused, control)
    start("other", *LEASE)
    story.wait_for(run_id, times=2)
    paused.send(signal.SIGCONT)
    run = workspace.ended(run_id)
    assert (run["state"], story.of(run_id)) == ("succeeded", ["begins", "begins", "ends"])
    assert [(one["worker"], one["state"]) for one in run["attempts"]] == [("paused", "failed"), ("other", "succeeded")]


def test_a_worker_told_to_stop_hands_back_what_takes_too_long(
    workspace: Workspace, start: Start, tmp_path: Path
) -> None:
    story = Story(tmp_path)
    job(workspace, "handed", tmp_path, 10)
    leaving = start("leaving", "--drain-seconds", "0")
    run_id = workspace.submit("handed")
    pid = story.wait_for(run_id)
    assert leaving.end(signal.SIGTERM) == 0
    assert not psutil.pid_exists(pid)
    assert workspace.run(run_id)["state"] == "pending"
    start("next")
    run = workspace.ended(run_id)
    assert (run["state"], [one["worker"] for one in run["attempts"]]) == ("succeeded", ["leaving", "next"])


def test_workers_killed_again_and_again_lose_no_run_and_double_none(
    workspace: Workspace, start: Start, tmp_path: Path
) -> None:
    kill_again_and_again(workspace, start, Story(tmp_path), tmp_path, kills=3)


def test_nor_do_they_on_postgres(stack: LakehouseUnderTest, tmp_path: Path) -> None:
    with PostgresServer() as postgres, ControlProcess(tmp_path, postgres.url()) as control:
        workspace = Workspace(control)
        try:
            with workers(control, stack.home) as start:
                kill_again_and_again(workspace, start, Story(tmp_path), tmp_path, kills=2)
        finally:
            workspace.http.close()


def kill_again_and_again(workspace: Workspace, start: Start, story: Story, directory: Path, kills: int) -> None:
    job(workspace, "storm", directory, 0.3)
    runs = [workspace.submit("storm", key=f"storm-{number}") for number in range(4 * kills)]
    steady = start("steady", "--slots", "2", *LEASE)
    for number in range(kills):
        victim = start(f"victim-{number}", "--slots", "2", *LEASE)
        story_so_far = len(story.lines())
        deadline = time.monotonic() + PATIENCE
        while len(story.lines()) < min(story_so_far + 2, 2 * len(runs)) and time.monotonic() < deadline:
            time.sleep(0.05)
        victim.end(signal.SIGKILL)
    assert all(workspace.ended(run_id)["state"] == "succeeded" for run_id in runs)
    assert steady.process.poll() is None
    told = [line for line in story.lines() if line[0] in runs]
    assert not [line for line in told if line[1] == "DOUBLED"]
    assert all(story.of(run_id)[-1] == "ends" for run_id in runs)

"""The processes that a worker keeps ready."""

import asyncio
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Never

import psutil
import pytest
from pydantic import SecretStr

from boathouse.control.connections.given import GivenConnection
from boathouse.control.database.base import now
from boathouse.control.runs import clock
from boathouse.control.runs.leases import Claim, Leases
from boathouse.control.runs.models import Run
from boathouse.control.worker.assignment import Assignment, Said
from boathouse.control.worker.process import RunnerProcess
from boathouse.control.worker.runners import Runners
from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess, SparkAccess
from boathouse.kit.errors import Unavailable
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.test_streams import at_work, log, over, until
from tests.behaviour.control.work import Work
from tests.integration.catalog_process import free_port


def processes() -> list[int]:
    own = psutil.Process(os.getpid())
    return [child.pid for child in own.children() if "boathouse.control.worker.runner" in child.cmdline()]


async def test_one_is_kept_ready_however_often_it_is_asked_for() -> None:
    before = set(processes())
    runners = Runners()
    try:
        for _ in range(3):
            await runners.tend()
            await asyncio.sleep(0.05)
        runner = await runners.take()
        for _ in range(20):
            await runners.tend()
            await asyncio.sleep(0.25)
        # The one that was taken, and at most one more that waits.
        assert len(set(processes()) - before) <= 2
        await runners.give_back(runner, whole=True)
        await asyncio.sleep(0.1)
    finally:
        await runners.close()
    assert set(processes()) == before


async def test_one_that_did_not_end_by_itself_is_not_used_again() -> None:
    runners = Runners()
    try:
        runner = await runners.take()
        await runners.give_back(runner, whole=False)
        assert not runner.is_alive
    finally:
        await runners.close()


async def test_as_many_as_a_queue_keeps_busy_are_kept_for_a_while() -> None:
    runners = Runners(most=2, kept_seconds=0.5)
    try:
        taken = await asyncio.gather(*(runners.take() for _ in range(3)))
        for runner in taken:
            await runners.give_back(runner, whole=True)
        assert [runner.is_alive for runner in taken] == [True, True, False]
        await asyncio.sleep(0.6)
        await runners.tend()
        assert runners.spare == 1
    finally:
        await runners.close()


async def test_a_program_that_wants_no_spark_runs_without_and_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _lake_without_spark().save(tmp_path)
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path))
    left = tmp_path / "left"
    code = f"import subprocess; print(subprocess.Popen(['sleep', '600']).pid, file=open({str(left)!r}, 'w'))"
    runners = Runners()
    try:
        runner = await runners.take()
        for number in (1, 2):
            said = await _carried_out(runner, number, code)
            assert said.error is None
            assert not _runs(int(left.read_text()))
    finally:
        await runners.close()


async def test_a_program_reads_its_connections_in_a_private_file_and_no_log_has_their_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _lake_without_spark().save(tmp_path)
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path))
    given = GivenConnection(kind="postgres", config={"host": "db"}, secrets={"password": SecretStr("under-the-boat")})
    runners = Runners()
    try:
        runner = await runners.take()
        said = await _all_said(runner, 1, READING, meters=given)
        none = await _all_said(runner, 2, "import os; print(os.environ.get('BOATHOUSE_RUN_CONNECTIONS'))")
    finally:
        await runners.close()
    place, mode, kind, host, secret = _printed(said)[0].split()
    assert (mode, kind, host) == ("0o600", "postgres", "db")
    # The program had it, and the log has something else in its place.
    assert secret == "…!"
    assert "under-the-boat" not in "".join(one.model_dump_json() for one in said)
    assert not _is_there(place)
    assert _printed(none) == ["None"]


READING = """
import json, os
from pathlib import Path
file = Path(os.environ["BOATHOUSE_RUN_CONNECTIONS"])
meters = json.loads(file.read_text())["meters"]
assert "under-the-boat" not in repr(os.environ)
print(file, oct(file.stat().st_mode & 0o777), meters["kind"], meters["config"]["host"], meters["secrets"]["password"] + "!")
"""


def _is_there(place: str) -> bool:
    return Path(place).exists()


def _printed(said: list[Said]) -> list[str]:
    return [one.log[2] for one in said if one.log is not None and one.log[1] == "out"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_worker_that_can_start_no_process_leaves_the_queue_to_those_that_can(
    control: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _lake_without_spark().save(tmp_path)
    monkeypatch.setenv("BOATHOUSE_HOME", str(tmp_path))
    await control.workspace("north")
    work = Work(control)
    await work.job(kind="spark", spec={"code": "print('rowed')"})
    run = await work.submit()
    tries: list[str] = []

    async def start() -> Never:
        tries.append("again")
        raise OSError(12, "Cannot allocate memory")

    async def tried() -> int:
        return len(tries)

    with monkeypatch.context() as broken:
        broken.setattr(RunnerProcess, "start", start)
        async with at_work(work, tmp_path, "bad"):
            # Once for the run, and after a rest without it.
            await until(tried, lambda times: times == 2)
    async with work.database.reading() as session:
        waiting = await session.get_one(Run, run["id"])
    assert (waiting.state, waiting.takeovers, waiting.attempt) == ("pending", 0, 1)
    assert waiting.error is not None
    assert "Cannot allocate memory" in waiting.error
    async with at_work(work, tmp_path, "good"):
        assert (await over(work, run))["state"] == "succeeded"
    said = await log(work, run)
    assert "rowed" in said
    assert any("Cannot allocate memory" in line for line in said), said


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_worker_does_not_take_back_what_is_at_work_in_itself_after_its_machine_slept(
    control: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, run = await _rows_until_told(control, tmp_path, monkeypatch)
    # Beats are seconds apart, and looks for lost runs less than one.
    async with at_work(work, tmp_path, lease=18):
        await until(lambda: log(work, run), lambda lines: "rowing" in lines)
        monkeypatch.setattr(clock, "now", lambda: now() + timedelta(minutes=10))
        await until(lambda: _lease_of(work, run), lambda lease: lease is None or lease > now() + timedelta(minutes=9))
        (tmp_path / "told").touch()
        done = await over(work, run)
    assert (done["state"], len(done["attempts"])) == ("succeeded", 1)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_run_whose_process_ended_itself_for_want_of_beats_is_begun_again(
    control: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, run = await _rows_until_told(control, tmp_path, monkeypatch)
    beat = Leases.beat

    async def away_for_the_first(leases: Leases, claim: Claim, **told: Any) -> None:
        # While its program is at work: a process for the next run may be there already.
        if claim.attempt == 1 and _is_alive(tmp_path / "rows"):
            raise Unavailable("The database is away.")
        await beat(leases, claim, **told)

    monkeypatch.setattr(Leases, "beat", away_for_the_first)
    async with at_work(work, tmp_path, lease=3):
        await until(lambda: work.run(run), lambda told: told["attempt"] == 2)
        (tmp_path / "told").touch()
        done = await over(work, run)
    assert (done["state"], done["attempts"][0]["state"]) == ("succeeded", "failed")
    assert "could not renew its lease" in done["attempts"][0]["error"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_an_attempt_waits_to_begin_until_the_database_is_back(
    control: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, run = await _rows_until_told(control, tmp_path, monkeypatch)
    begin, asked = Leases.begin, list[int]()

    async def with_answers_lost(leases: Leases, claim: Claim) -> None:
        asked.append(claim.attempt)
        if len(asked) == 2:
            # It was done all the same.
            await begin(leases, claim)
        if len(asked) <= 2:
            raise Unavailable("The database is away.")
        await begin(leases, claim)

    async def start() -> Never:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(Leases, "begin", with_answers_lost)
    # How far it comes is enough here.
    monkeypatch.setattr(RunnerProcess, "start", start)
    async with at_work(work, tmp_path):
        told = await until(lambda: work.run(run), lambda told: told["error"] is not None)
    assert (asked, told["state"]) == ([1, 1, 1], "pending")
    assert "Cannot allocate memory" in told["error"]


async def _rows_until_told(control: ControlPlane, home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Work, Any]:
    _lake_without_spark().save(home)
    monkeypatch.setenv("BOATHOUSE_HOME", str(home))
    await control.workspace("north")
    work = Work(control)
    await work.job(kind="spark", spec={"code": ROWING.replace("HOME", str(home))})
    return work, await work.submit()


def _is_alive(noted: Path) -> bool:
    """The process whose number was written there."""
    number = noted.read_text() if noted.exists() else ""
    try:
        return bool(number) and psutil.Process(int(number)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


ROWING = """
import os, time
from pathlib import Path
Path("HOME/rows").write_text(str(os.getpid()))
print("rowing")
while not Path("HOME/told").exists():
    time.sleep(0.05)
"""


async def _lease_of(work: Work, run: Any) -> datetime | None:
    async with work.database.reading() as session:
        return (await session.get_one(Run, run["id"])).lease_until


def _lake_without_spark() -> LakeAccess:
    secret = SecretStr("secret")
    return LakeAccess(
        object_store=ObjectStoreAccess(endpoint="", region="", bucket="", access_key=secret, secret_key=secret),
        catalog=CatalogAccess(uri="", warehouse="", token=secret),
        spark=SparkAccess(remote=f"sc://localhost:{free_port()}", token=secret, catalog="lake"),
    )


async def _carried_out(runner: RunnerProcess, number: int, code: str) -> Said:
    return (await _all_said(runner, number, code))[-1]


async def _all_said(runner: RunnerProcess, number: int, code: str, **connections: GivenConnection) -> list[Said]:
    assignment = Assignment(
        run_id="run", attempt=number, kind="spark", spec={"code": code}, parameters=[], values={},
        scheduled_for=None, results="", result_path="", connections=connections,
    )  # fmt: skip
    await runner.tell(assignment)
    heard: list[Said] = []
    while (said := await runner.hear()) is not None:
        heard.append(said)
        if said.ended:
            return heard
    raise AssertionError("it ended without a word")


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False

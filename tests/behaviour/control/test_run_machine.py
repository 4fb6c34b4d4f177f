"""Runs and workers in any order: claims, crashes, late replies, stops and repairs, against a small model.

The model knows who may write to a run. Whatever the order, no run is lost, none is with two workers at once, and
what a worker writes that lost a run does not count.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from boathouse.control.database import open_database
from boathouse.control.runs.changes import MOST_TAKEOVERS, LeaseLost
from boathouse.control.runs.leases import Claim
from boathouse.control.runs.states import ENDED, State
from tests.behaviour.control.control_plane import ControlPlane
from tests.behaviour.control.work import RUNS, Work
from tests.postgres_server import PostgresServer

Answer = TypeVar("Answer")
WORKERS = ("w1", "w2", "w3")
RETRIES = 1
_NUMBERS = count(1)
UNDER_WAY = {"starting", "running"}


@dataclass
class Expected:
    """What the model knows of a run."""

    state: str = "pending"
    attempt: int = 0
    holder: Claim | None = None
    failures: int = 0
    takeovers: int = 0
    stop: bool = False

    def over(self, state: str) -> None:
        self.state, self.holder = state, None


class RunMachine(RuleBasedStateMachine):
    migrated: ClassVar[Path]
    claims: Bundle[Claim] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.directory = tempfile.TemporaryDirectory()
        self.expected: dict[str, Expected] = {}
        self.keys: dict[str, str] = {}

    def wait(self, asked: Coroutine[Any, Any, Answer]) -> Answer:
        return self.loop.run_until_complete(asked)

    @property
    def place(self) -> str:
        """A database with its tables, and nothing in them."""
        shutil.copy(self.migrated, f"{self.directory.name}/control.db")
        return f"sqlite:///{self.directory.name}/control.db"

    @initialize()
    def begin_empty(self) -> None:
        self.database = open_database(self.place)
        self.control = self.wait(ControlPlane(self.database).__aenter__())
        self.wait(self.control.workspace("north"))
        self.work = Work(self.control)
        self.wait(self.work.job(retries={"count": RETRIES, "delay_seconds": 0}))

    @rule(key=st.sampled_from([None, "k1", "k2"]))
    def submit(self, key: str | None) -> None:
        known = self.keys.get(key or "")
        run = self.wait(self.work.submit(key=key, status=200 if known else 201))
        assert known in {None, run["id"]}
        if known is None:
            self.expected[run["id"]] = Expected()
            self.keys |= {key: run["id"]} if key else {}

    @rule(target=claims, worker=st.sampled_from(WORKERS))
    def claim(self, worker: str) -> Any:
        claim = self.wait(self.work.worker(worker).claim())
        waiting = [run_id for run_id, one in self.expected.items() if one.state == "pending"]
        if claim is None:
            under_way = sum(one.state in UNDER_WAY for one in self.expected.values())
            assert not waiting or under_way >= 10, "a run that may begin was not given out"
            return multiple()
        one = self.expected[claim.run_id]
        assert (one.state, one.holder) == ("pending", None)
        assert claim.attempt == one.attempt + 1
        one.state, one.attempt, one.holder = "starting", claim.attempt, claim
        return claim

    @rule(claim=claims)
    def begin(self, claim: Claim) -> None:
        one = self.expected[claim.run_id]
        if one.state == "running" and self.holds(claim):
            return
        if self.writes(claim, self.work.worker(claim.worker).begin(claim)):
            one.state = "running"

    @rule(claim=claims)
    def beat(self, claim: Claim) -> None:
        self.writes(claim, self.work.worker(claim.worker).beat(claim, log=[(0, "out", "x")], number=0))

    @rule(claim=claims)
    def succeed(self, claim: Claim) -> None:
        if self.writes(claim, self.work.worker(claim.worker).succeed(claim, None)):
            self.expected[claim.run_id].over("succeeded")

    @rule(claim=claims, how=st.sampled_from([State.FAILED, State.TIMED_OUT]))
    def fail(self, claim: Claim, how: State) -> None:
        """By itself, or because it took too long, which is tried again all the same."""
        if not self.writes(claim, self.work.worker(claim.worker).fail(claim, "broken", how)):
            return
        one = self.expected[claim.run_id]
        if one.stop:
            one.over("cancelled")
            return
        one.failures += 1
        one.over("pending" if one.failures <= RETRIES else how)

    @rule(claim=consumes(claims))
    def hand_back(self, claim: Claim) -> None:
        if self.writes(claim, self.work.worker(claim.worker).hand_back(claim, "stopped")):
            one = self.expected[claim.run_id]
            one.over("cancelled" if one.stop else "pending")

    @rule(worker=st.sampled_from(WORKERS), finder=st.sampled_from(WORKERS))
    def crash(self, worker: str, finder: str) -> None:
        """The worker is silent until its leases are over, and another looks."""
        self.wait(self.work.let_leases_end(worker))
        self.wait(self.work.worker(finder).take_back_lost())
        for one in self.expected.values():
            if one.holder is not None and one.holder.worker == worker:
                one.takeovers += 1
                given_up = one.takeovers > MOST_TAKEOVERS
                one.over("cancelled" if one.stop else "failed" if given_up else "pending")

    @rule(data=st.data())
    def stop(self, data: st.DataObject) -> None:
        one, run = self.some_run(data)
        ended = one.state not in {"pending", *UNDER_WAY}
        self.wait(self.work.stop(run, status=409 if ended else 200))
        if one.state == "pending":
            one.over("cancelled")
        elif not ended:
            one.stop = True

    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        one, run = self.some_run(data)
        allowed = one.state in {"failed", "cancelled", "timed-out"}
        self.wait(self.work.again(run, status=200 if allowed else 409))
        if allowed:
            self.expected[run["id"]] = Expected(attempt=one.attempt)

    @invariant()
    def the_database_agrees(self) -> None:
        if not self.expected:
            return
        told = self.wait(self.work.caller.get(RUNS, params={"limit": 500}))["items"]
        assert {run["id"]: (run["state"], run["attempt"]) for run in told} == {
            run_id: (one.state, one.attempt) for run_id, one in self.expected.items()
        }

    def some_run(self, data: st.DataObject) -> tuple[Expected, dict[str, str]]:
        if not self.expected:
            self.submit(None)
        run_id = data.draw(st.sampled_from(sorted(self.expected)))
        return self.expected[run_id], {"id": run_id}

    def holds(self, claim: Claim) -> bool:
        return self.expected[claim.run_id].holder is claim

    def writes(self, claim: Claim, written: Coroutine[Any, Any, None]) -> bool:
        """Whether it counted, which it must if and only if the worker has the run."""
        try:
            self.wait(written)
        except LeaseLost:
            assert not self.holds(claim), "a worker that has the run was refused"
            return False
        assert self.holds(claim), "a worker that lost the run was heard"
        return True

    def teardown(self) -> None:
        try:
            self.drain()
        finally:
            self.wait(self.control.__aexit__(None, None, None))
            self.wait(self.database.close())
            self.loop.close()
            self.directory.cleanup()

    def drain(self) -> None:
        """However it stands, workers that do their work bring every run to an end."""
        for worker in WORKERS:
            self.crash(worker, worker)
        leases = self.work.worker("last")
        while (claim := self.wait(leases.claim())) is not None:
            self.wait(leases.begin(claim))
            self.wait(leases.succeed(claim, None))
        told = self.wait(self.work.caller.get(RUNS, params={"limit": 500}))["items"]
        assert {run["id"] for run in told} == set(self.expected)
        assert all(run["state"] in ENDED for run in told)


class RunMachineOnPostgres(RunMachine):
    """Where changes go on side by side, and claims are kept apart by locks of rows."""

    server: ClassVar[PostgresServer]

    @property
    def place(self) -> str:
        name = f"machine_{next(_NUMBERS)}"
        self.server.execute(f"CREATE DATABASE {name} TEMPLATE migrated")
        return self.server.url(name)


@pytest.fixture(scope="module")
def own_file(migrated_file: Path) -> None:
    RunMachine.migrated = migrated_file


@pytest.fixture(scope="module")
def own_server(postgres: PostgresServer) -> None:
    RunMachineOnPostgres.server = postgres


@pytest.mark.usefixtures("own_file")
class TestRuns(RunMachine.TestCase):
    settings = settings(max_examples=30, stateful_step_count=40, derandomize=True)


@pytest.mark.usefixtures("own_server")
class TestRunsOnPostgres(RunMachineOnPostgres.TestCase):
    # Fewer, for each begins with a database of its own.
    settings = settings(max_examples=10, stateful_step_count=40, derandomize=True)

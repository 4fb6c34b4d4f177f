"""Whose a stream is: another pipeline, another job and another process are refused, with what to do."""

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from boathouse.kit.errors import Conflict
from boathouse.kit.objects import open_store
from boathouse.kit.run_properties import Run
from boathouse.pipelines.stream import owner
from boathouse.pipelines.stream.owner import Owner, Ownership, owner_of

JOB = Run("run-1", "meters", "power")


@pytest.fixture
def ownership(tmp_path: Path) -> Ownership:
    return Ownership(open_store(f"file://{tmp_path}"), "_streams/a_b")


def _runs(ownership: Ownership, me: Owner, *, take_over: bool = False) -> None:
    with ownership.held(me, lambda: None, take_over=take_over):
        found = ownership.read()
        assert found is not None
        assert (found.id, found.is_at_work()) == (me.id, True)
    found = ownership.read()
    assert found is not None
    assert not found.is_at_work()


def _refused(ownership: Ownership, me: Owner) -> str:
    with pytest.raises(Conflict) as refused, ownership.held(me, lambda: None):
        pass
    assert refused.value.hint
    return f"{refused.value} {refused.value.hint}"


def test_a_pipeline_goes_on_and_another_of_the_same_short_name_is_refused(ownership: Ownership) -> None:
    _runs(ownership, owner_of("a-b", None))
    _runs(ownership, owner_of("a-b", None))
    assert "'a-b' keeps what it knows under the same short name as 'a_b'" in _refused(ownership, owner_of("a_b", None))


def test_what_a_command_began_becomes_the_jobs_and_nobody_elses(ownership: Ownership) -> None:
    _runs(ownership, owner_of("a-b", None))
    _runs(ownership, owner_of("a-b", JOB))
    _runs(ownership, owner_of("a-b", replace(JOB, id="run-2")))
    for other in (replace(JOB, workspace="water"), replace(JOB, job="again"), None):
        assert "belongs to the job meters of the workspace power" in _refused(ownership, owner_of("a-b", other))
    _runs(ownership, owner_of("a-b", None), take_over=True)
    _runs(ownership, owner_of("a-b", replace(JOB, workspace="water")))


def test_two_at_once_are_refused(ownership: Ownership) -> None:
    with ownership.held(owner_of("a-b", JOB), lambda: None):
        assert "at work already: the job meters" in _refused(ownership, owner_of("a-b", None))
        assert "at work already" in _refused(ownership, owner_of("a-b", replace(JOB, id="run-2")))


def test_one_that_died_elsewhere_is_waited_for_unless_it_is_the_same_run() -> None:
    there = replace(owner_of("a-b", JOB), process="elsewhere 1 1700000000", beat=time.time())
    assert there.is_at_work()
    assert not replace(there, beat=time.time() - 3600).is_at_work()
    owner.refuse(there, owner_of("a-b", JOB), take_over=False)


def test_one_that_was_taken_for_dead_ends(ownership: Ownership, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "_BEAT_SECONDS", 0.01)
    lost = threading.Event()

    def take() -> None:
        # More than once: a beat may fall between.
        while not lost.wait(0.02):
            ownership._write(owner_of("a-b", JOB))

    with pytest.raises(Conflict, match="Another process"), ownership.held(owner_of("a-b", JOB), lost.set):
        take()

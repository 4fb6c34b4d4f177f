"""A lakehouse starts and stops as it should, whatever happened to the one before."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import Conflict, Unavailable, WorkFailed
from boathouse.kit.settings import Settings, load_settings
from boathouse.stack.journal import exclusive, read_identity, write_identity
from boathouse.stack.lifecycle import Lakehouse
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.status import StackStatus, State
from tests.behaviour.stack import tiny_stack
from tests.behaviour.stack.tiny_stack import Tiny, events
from tests.lakehouse_under_test import eventually

PROGRAM = (sys.executable, tiny_stack.__file__)
PAIR = (Tiny("store"), Tiny("catalog", needs=("store",)))

Made = Callable[..., Lakehouse]


@pytest.fixture
def lakehouse_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Makes a lakehouse of tiny services, all in the same home."""
    for name, value in {"HOME": str(tmp_path / "home"), "STACK__STOP_TIMEOUT": "2"}.items():
        monkeypatch.setenv(f"BOATHOUSE_{name}", value)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    settings: Settings = load_settings()

    def make(*tiny: Tiny) -> Lakehouse:
        monkeypatch.setenv("TINY", json.dumps([asdict(each) for each in tiny]))
        return Lakehouse(settings, PROGRAM)

    yield make
    Lakehouse(settings, PROGRAM).stop()


def up(lakehouse: Lakehouse) -> StackStatus:
    supervisor, _ = lakehouse.start("tiny")
    *_, last = lakehouse.watch(supervisor)
    return last


def impatient(lakehouse: Lakehouse, **limits: int) -> Lakehouse:
    settings = lakehouse.settings
    stack = settings.stack.model_copy(update=limits)
    return replace(lakehouse, settings=settings.model_copy(update={"stack": stack}))


def leaders(status: StackStatus) -> list[ProcessIdentity]:
    found = [service.process() for service in status.services]
    return [process for process in found if process]


def test_up_ends_when_all_is_healthy_and_says_how_to_reach_it(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    status = up(lakehouse)
    assert [service.state for service in status.services] == [State.HEALTHY, State.HEALTHY]
    assert LakeAccess.load(lakehouse.home.path).catalog.token == tiny_stack.SECRET


def test_the_supervisor_survives_the_session_that_started_it(lakehouse_of: Made) -> None:
    status = up(lakehouse_of(*PAIR))
    assert os.getsid(status.pid) != os.getsid(0)


def test_down_leaves_no_process_and_no_word(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    status = up(lakehouse)
    assert lakehouse.stop() == ["store", "catalog"]
    assert not any(leader.session() for leader in leaders(status))
    assert not status.supervisor.alive()
    assert lakehouse.status() is None
    assert not LakeAccess.path(lakehouse.home.path).exists()
    assert events(lakehouse.home)[-2:] == ["stop catalog", "stop store"]


def test_down_with_nothing_running_is_fine(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    assert lakehouse.stop() == []
    up(lakehouse)
    lakehouse.stop()
    assert lakehouse.stop() == []


def test_up_again_finds_it_running(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    first = up(lakehouse)
    supervisor, started = lakehouse.start("tiny")
    assert not started
    assert supervisor == first.supervisor


def test_up_again_starts_what_was_given_up(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store"), Tiny("catalog", does="fails"))
    with pytest.raises(WorkFailed, match="catalog could not be started") as failed:
        up(lakehouse)
    assert "the disk is on fire" in str(failed.value)
    tries = events(lakehouse.home).count("start catalog")
    with pytest.raises(WorkFailed, match="catalog could not be started"):
        up(lakehouse)
    assert events(lakehouse.home).count("start catalog") == 2 * tries
    (lakehouse.home.path / "cured").touch()
    assert up(lakehouse).healthy
    assert events(lakehouse.home).count("start store") == 1


def test_another_profile_is_refused_while_one_runs(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    up(lakehouse)
    with pytest.raises(Conflict, match="profile 'tiny', not 'large'"):
        lakehouse.start("large")


def test_two_ups_at_once_start_one_supervisor(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    ended: list[StackStatus] = []
    threads = [threading.Thread(target=lambda: ended.append(up(lakehouse))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({status.pid for status in ended}) == 1
    assert len(ended) == 3
    assert events(lakehouse.home) == ["start store", "start catalog"]


def test_up_after_the_supervisor_was_killed_stops_the_orphans_and_starts_anew(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    first = up(lakehouse)
    os.kill(first.pid, signal.SIGKILL)
    eventually(lambda: lakehouse.status() is None)
    assert all(leader.alive() for leader in leaders(first))
    second = up(lakehouse)
    assert not any(leader.session() for leader in leaders(first))
    assert all(leader.alive() for leader in leaders(second))
    assert events(lakehouse.home)[2:4] == ["stop catalog", "stop store"]


def test_down_after_the_supervisor_was_killed_stops_the_orphans(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store", does="stubborn"))
    status = up(lakehouse)
    os.kill(status.pid, signal.SIGKILL)
    eventually(lambda: lakehouse.status() is None)
    assert lakehouse.stop() == ["store"]
    assert not any(leader.session() for leader in leaders(status))


def test_after_a_reboot_the_numbers_in_the_files_mean_nothing(lakehouse_of: Made) -> None:
    """Every number may now be somebody else's, such as this innocent process."""
    lakehouse = lakehouse_of(*PAIR)
    lakehouse.home.make()
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as innocent:
        pid = innocent.pid
        entry = {"pid": pid, "birth": "before the reboot/1", "patience": 5}
        lakehouse.home.processes.write_text(json.dumps({"store": entry}))
        lakehouse.home.supervisor.write_text(json.dumps(entry))
        StackStatus(profile="tiny", pid=pid, birth="before the reboot/1").save(lakehouse.home)
        assert lakehouse.status() is None
        up(lakehouse)
        assert innocent.poll() is None
        lakehouse.stop()
        assert innocent.poll() is None
        innocent.kill()


@pytest.mark.parametrize("content", ["", "{", "[1]", "null", '{"store": 7}'])
def test_damaged_files_do_not_stand_in_the_way(lakehouse_of: Made, content: str) -> None:
    lakehouse = lakehouse_of(*PAIR)
    lakehouse.home.make()
    for path in (lakehouse.home.processes, lakehouse.home.supervisor, lakehouse.home.status):
        path.write_text(content)
    assert up(lakehouse).healthy


def test_down_finds_the_supervisor_even_if_its_word_was_deleted(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    status = up(lakehouse)
    lakehouse.home.status.unlink()
    lakehouse.stop()
    assert not status.supervisor.alive()
    assert not any(leader.session() for leader in leaders(status))


def test_down_ends_a_supervisor_that_hangs(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store"))
    status = up(lakehouse)
    os.kill(status.pid, signal.SIGSTOP)
    assert lakehouse.stop() == ["store"]
    assert not status.supervisor.alive()
    assert not any(leader.session() for leader in leaders(status))


@contextmanager
def holding_the_lock(lakehouse: Lakehouse) -> Generator[ProcessIdentity]:
    """Another process that has the supervisor's lock and does not say who it is."""
    lakehouse.home.make()
    code = "import fcntl, sys, time; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); time.sleep(60)"
    command = [sys.executable, "-c", code, str(lakehouse.home.supervisor_lock)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as holder:
        assert holder.stdout
        holder.stdout.readline()
        identity = ProcessIdentity.of(holder.pid)
        assert identity
        # Else, as a child of ours, it would stay a zombie, which is no process to anybody but the kernel.
        threading.Thread(target=holder.wait, daemon=True).start()
        try:
            yield identity
        finally:
            holder.kill()


def test_down_stops_whoever_took_the_lock_meanwhile(lakehouse_of: Made) -> None:
    """It says who it is only after it has the lock."""
    lakehouse = lakehouse_of(*PAIR)
    with holding_the_lock(lakehouse) as late:
        says_so = threading.Timer(0.5, write_identity, (lakehouse.home.supervisor, late))
        says_so.start()
        lakehouse.stop()
        assert not late.alive()


def test_down_does_not_wait_for_ever_for_one_that_never_says_who_it_is(lakehouse_of: Made) -> None:
    lakehouse = impatient(lakehouse_of(*PAIR), stop_timeout=-1)
    with holding_the_lock(lakehouse), pytest.raises(Unavailable, match="holds the lock") as refused:
        lakehouse.stop()
    assert refused.value.hint
    assert "`boathouse up`" in refused.value.hint


def test_down_waits_as_long_as_the_services_may_take(lakehouse_of: Made) -> None:
    lakehouse = impatient(lakehouse_of(Tiny("store"), Tiny("worker", slow_stop=100)), stop_timeout=1)
    up(lakehouse)
    assert lakehouse._stop_limit() > 100


def test_what_a_killed_supervisor_left_is_asked_to_stop_in_its_own_way(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store", does="elsewise", stop_signal=signal.SIGUSR1))
    os.kill(up(lakehouse).pid, signal.SIGKILL)
    assert lakehouse.stop() == ["store"]
    assert events(lakehouse.home)[-1] == "stop store"


def test_what_an_earlier_version_noted_is_asked_to_stop_by_sigterm(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store"))
    os.kill(up(lakehouse).pid, signal.SIGKILL)
    notes = json.loads(lakehouse.home.processes.read_text())
    del notes["store"]["stop_signal"]
    lakehouse.home.processes.write_text(json.dumps(notes))
    assert lakehouse.stop() == ["store"]
    assert events(lakehouse.home)[-1] == "stop store"


def test_who_holds_the_lock_is_never_read_half_written(tmp_path: Path) -> None:
    me = ProcessIdentity(os.getpid(), "x" * 10_000)
    path = tmp_path / "supervisor.json"
    write_identity(path, me)
    done = threading.Event()
    read: list[ProcessIdentity | None] = []

    def keep_reading() -> None:
        while not done.is_set():
            read.append(read_identity(path))

    reader = threading.Thread(target=keep_reading)
    reader.start()
    for _ in range(200):
        write_identity(path, me)
    done.set()
    reader.join()
    assert read
    assert set(read) == {me}


def test_up_on_a_lakehouse_that_stays_impaired_ends_and_says_why(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    first = up(lakehouse)
    impaired = lakehouse.home.path / "store.impaired"
    impaired.touch()
    eventually(lambda: bool((status := lakehouse.status()) and not status.healthy))
    with pytest.raises(Unavailable, match="store has been unhealthy for 1 s: the disk is full") as ended:
        up(impatient(lakehouse, start_timeout=1))
    assert ended.value.hint
    assert "boathouse logs store" in ended.value.hint
    assert first.supervisor.alive()
    impaired.unlink()
    assert up(lakehouse).pid == first.pid


def test_up_during_a_down_waits_and_then_starts(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(Tiny("store", does="stubborn"))
    first = up(lakehouse)
    stopping = threading.Thread(target=lakehouse.stop)
    stopping.start()
    eventually(lambda: bool((status := lakehouse.status()) and status.stopping))
    second = up(lakehouse)
    stopping.join()
    assert second.pid != first.pid
    assert second.supervisor.alive()


def test_down_during_an_up_ends_both(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    lakehouse.home.make()
    (lakehouse.home.path / "store.sick").touch()
    supervisor, _ = lakehouse.start("tiny")
    lakehouse.stop()
    with pytest.raises(WorkFailed, match="supervisor has ended"):
        list(lakehouse.watch(supervisor))


def test_a_supervisor_that_cannot_begin_says_why(lakehouse_of: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    lakehouse = lakehouse_of(*PAIR)
    monkeypatch.setenv("TINY", "not json")
    with pytest.raises(WorkFailed, match="JSONDecodeError"):
        up(lakehouse)


def test_files_of_a_running_lakehouse_are_its_owners_alone(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    up(lakehouse)
    assert lakehouse.home.path.stat().st_mode & 0o077 == 0
    for path in (*lakehouse.home.run.iterdir(), *lakehouse.home.logs.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_directory_that_was_there_keeps_its_mode(lakehouse_of: Made) -> None:
    """It may be one that others use, too, such as a project's."""
    lakehouse = lakehouse_of(*PAIR)
    lakehouse.home.path.mkdir(mode=0o755)
    lakehouse.home.make()
    assert lakehouse.home.path.stat().st_mode & 0o777 == 0o755
    assert all(path.stat().st_mode & 0o077 == 0 for path in lakehouse.home.path.iterdir())


def test_the_lock_is_free_again_once_its_holder_is_dead(lakehouse_of: Made) -> None:
    lakehouse = lakehouse_of(*PAIR)
    status = up(lakehouse)
    with exclusive(lakehouse.home.supervisor_lock, wait=False) as held:
        assert not held
    os.kill(status.pid, signal.SIGKILL)
    with exclusive(lakehouse.home.supervisor_lock, wait=True) as held:
        assert held

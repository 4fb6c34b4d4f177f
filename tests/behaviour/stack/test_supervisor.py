"""The supervisor keeps services alive in the order of their needs, and stops them in the reverse order."""

import errno
import os
import signal
import subprocess
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from boathouse.kit.settings import LogSettings, Settings
from boathouse.stack.home import Home
from boathouse.stack.journal import _GATE
from boathouse.stack.keeper import RestartPolicy
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.profiles import PROFILES
from boathouse.stack.service import Impaired, NotReady
from boathouse.stack.status import ServiceStatus, StackStatus, State
from boathouse.stack.supervisor import Supervisor
from tests.behaviour.stack.tiny_stack import POLICY, Tiny, TinyService, events, services
from tests.lakehouse_under_test import eventually


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, log=LogSettings(rotate_mb=1, keep=1))


def impatient(settings: Settings, **limits: int) -> Settings:
    return settings.model_copy(update={"stack": settings.stack.model_copy(update=limits)})


class Running:
    """A supervisor at work in a thread."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        self.home = supervisor.home

    def service(self, name: str) -> ServiceStatus:
        status = StackStatus.load(self.home)
        assert status
        return next(service for service in status.services if service.name == name)

    def keeper(self, name: str) -> ServiceStatus:
        """What is so, even if it cannot be said."""
        return self.supervisor._keepers[name].status

    def wait_for(self, name: str, state: State) -> ServiceStatus:
        eventually(lambda: self.service(name).state is state)
        return self.service(name)

    def pid(self, name: str) -> int:
        pid = self.wait_for(name, State.HEALTHY).pid
        assert pid
        return pid


@contextmanager
def supervised(settings: Settings, *tiny: Tiny, policy: RestartPolicy = POLICY) -> Generator[Running]:
    home = Home(settings.home)
    home.make()
    me = ProcessIdentity.of(os.getpid())
    assert me
    supervisor = Supervisor(home, "tiny", settings, services(settings, *tiny), me, policy)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        eventually(lambda: StackStatus.load(home) is not None)
        yield Running(supervisor)
    finally:
        supervisor.stop()
        thread.join()


def test_a_service_starts_once_what_it_needs_is_healthy(settings: Settings) -> None:
    sick = settings.home / "store.sick"
    sick.touch()
    with supervised(settings, Tiny("catalog", needs=("store",)), Tiny("store")) as running:
        eventually(lambda: events(running.home) == ["start store"])
        eventually(lambda: running.service("catalog").detail == "waits for store")
        sick.unlink()
        running.wait_for("catalog", State.HEALTHY)
    assert events(running.home)[:2] == ["start store", "start catalog"]


def test_services_that_do_not_need_each_other_start_at_the_same_time(settings: Settings) -> None:
    for name in ("store", "spark"):
        (settings.home / f"{name}.sick").touch()
    with supervised(settings, Tiny("store"), Tiny("spark", uses=("store",))) as running:
        eventually(lambda: sorted(events(running.home)) == ["start spark", "start store"])


def test_services_stop_in_the_reverse_order_of_needs_and_uses(settings: Settings) -> None:
    tiny = (Tiny("store"), Tiny("catalog", needs=("store",)), Tiny("spark", uses=("store", "catalog")))
    with supervised(settings, *tiny) as running:
        for each in tiny:
            running.wait_for(each.name, State.HEALTHY)
    assert events(running.home)[-3:] == ["stop spark", "stop catalog", "stop store"]


def test_nothing_that_a_run_uses_stops_before_the_worker(settings: Settings) -> None:
    """A stream that stops finishes its batch: what it reads and writes has to be there for that."""
    kinds = PROFILES["stream"]
    tiny = [Tiny(k.name, "slow" if k.name == "worker" else "runs", needs=k.needs, uses=k.uses) for k in kinds]
    with supervised(settings, *tiny) as running:
        for each in tiny:
            running.wait_for(each.name, State.HEALTHY)
    stops = [event for event in events(running.home) if event.startswith("stop")]
    assert stops[0] == "stop worker"
    assert stops.index("stop connect") < min(stops.index("stop kafka"), stops.index("stop postgres"))


def test_a_need_that_is_not_in_the_profile_is_not_waited_for(settings: Settings) -> None:
    with supervised(settings, Tiny("catalog", needs=("store",))) as running:
        running.wait_for("catalog", State.HEALTHY)


def test_a_killed_service_comes_back(settings: Settings) -> None:
    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        os.kill(first, signal.SIGKILL)
        eventually(lambda: running.service("store").restarts == 1)
        assert running.pid("store") != first


def test_the_children_of_a_killed_service_do_not_outlive_it(settings: Settings) -> None:
    settings = impatient(settings, stop_timeout=1)
    with supervised(settings, Tiny("store", does="stubborn")) as running:
        status = running.wait_for("store", State.HEALTHY)
        leader = status.process()
        assert leader
        eventually(lambda: len(leader.session()) >= 2)
        os.kill(leader.pid, signal.SIGKILL)
        eventually(lambda: running.service("store").restarts == 1)
        assert leader.session() == []


def test_a_service_that_always_fails_is_given_up_with_ever_longer_pauses(settings: Settings) -> None:
    with supervised(settings, Tiny("store", does="fails")) as running:
        status = running.wait_for("store", State.FAILED)
        assert status.detail == "ended with exit status 3 before it was healthy"
        assert status.restarts == POLICY.give_up_after - 1
        assert len(events(running.home)) == POLICY.give_up_after
        assert "the disk is on fire" in running.home.log("store").read_text()
    pauses = [POLICY.pause(failures) for failures in range(1, 6)]
    assert pauses == [0.05, 0.1, 0.2, 0.4, 0.4]


def test_a_service_given_up_is_tried_again_on_request(settings: Settings) -> None:
    with supervised(settings, Tiny("store", does="fails")) as running:
        running.wait_for("store", State.FAILED)
        running.supervisor.retry()
        eventually(lambda: len(events(running.home)) == 2 * POLICY.give_up_after)
        running.wait_for("store", State.FAILED)


def test_a_service_that_lasts_earns_a_clean_slate(settings: Settings) -> None:
    with supervised(settings, Tiny("store"), policy=replace(POLICY, steady_after=0)) as running:
        for round_number in range(POLICY.give_up_after + 1):
            pid = running.pid("store")
            time.sleep(POLICY.poll * 5)
            os.kill(pid, signal.SIGKILL)
            eventually(lambda expected=round_number + 1: running.service("store").restarts == expected)
        running.wait_for("store", State.HEALTHY)


def test_a_service_that_never_gets_healthy_is_replaced(settings: Settings) -> None:
    settings = impatient(settings, start_timeout=0)
    (settings.home / "store.sick").touch()
    with supervised(settings, Tiny("store")) as running:
        assert "not healthy after 0 s: it has a cold" in running.wait_for("store", State.FAILED).detail


def test_a_service_that_falls_ill_is_shown_so_and_then_replaced(settings: Settings) -> None:
    sick = settings.home / "store.sick"
    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        sick.touch()
        eventually(lambda: running.service("store").restarts == 1)
        sick.unlink()
        assert running.pid("store") != first
        assert events(running.home) == ["start store", "stop store", "start store"]


def test_a_passing_illness_is_survived(settings: Settings) -> None:
    sick = settings.home / "store.sick"
    with supervised(settings, Tiny("store"), policy=replace(POLICY, replace_after=10_000)) as running:
        first = running.pid("store")
        sick.touch()
        assert running.wait_for("store", State.UNHEALTHY).detail == "it has a cold"
        sick.unlink()
        assert running.pid("store") == first


def test_a_service_that_is_only_impaired_is_shown_so_but_not_replaced(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = 0

    def check(_self: TinyService) -> None:
        nonlocal checks
        checks += 1
        raise Impaired("the disk is full")

    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        monkeypatch.setattr(TinyService, "check", check)
        eventually(lambda: checks > 2 * POLICY.replace_after)
        assert running.wait_for("store", State.UNHEALTHY).detail == "the disk is full"
        assert running.service("store").pid == first


def test_one_slow_check_of_an_impaired_service_does_not_replace_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = 0

    def check(_self: TinyService) -> None:
        nonlocal checks
        checks += 1
        if checks == 3 * POLICY.replace_after:
            raise NotReady("no answer in time")
        raise Impaired("it is busy")

    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        monkeypatch.setattr(TinyService, "check", check)
        eventually(lambda: checks > 4 * POLICY.replace_after)
        assert running.service("store").pid == first


def test_a_service_that_can_never_be_well_is_given_up_at_once(settings: Settings) -> None:
    broken = settings.home / "store.broken"
    broken.touch()
    with supervised(settings, Tiny("store")) as running:
        status = running.wait_for("store", State.FAILED)
        assert (status.detail, status.restarts) == ("a package is missing", 0)
        assert len([event for event in events(running.home) if event.startswith("start")]) <= 1
        broken.unlink()
        running.supervisor.retry()
        running.wait_for("store", State.HEALTHY)


def test_but_not_one_that_was_well_before(settings: Settings) -> None:
    """Whatever ails it now has come meanwhile, and may go again."""
    broken = settings.home / "store.broken"
    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        broken.touch()
        os.kill(first, signal.SIGKILL)
        eventually(lambda: running.service("store").restarts > 1)
        broken.unlink()
        assert running.pid("store") != first


def test_a_service_that_does_not_stop_is_killed_with_its_children(settings: Settings) -> None:
    settings = impatient(settings, stop_timeout=1)
    with supervised(settings, Tiny("store", does="stubborn")) as running:
        leader = running.wait_for("store", State.HEALTHY).process()
        assert leader
    assert leader.session() == []


def test_a_service_that_needs_longer_to_stop_has_it(settings: Settings) -> None:
    settings = impatient(settings, stop_timeout=1)
    with supervised(settings, Tiny("store", does="slow", slow_stop=20)) as running:
        running.wait_for("store", State.HEALTHY)
    assert events(running.home)[-1] == "stop store"


def test_a_service_is_asked_to_stop_in_its_own_way(settings: Settings) -> None:
    settings = impatient(settings, stop_timeout=5)
    with supervised(settings, Tiny("store", does="elsewise", stop_signal=signal.SIGUSR1)) as running:
        running.wait_for("store", State.HEALTHY)
    assert events(running.home)[-1] == "stop store"


def test_stopping_during_a_start_leaves_nothing(settings: Settings) -> None:
    (settings.home / "store.sick").touch()
    with supervised(settings, Tiny("store"), Tiny("catalog", needs=("store",))) as running:
        eventually(lambda: running.service("store").pid is not None)
        leader = running.service("store").process()
        assert leader
    assert leader.session() == []
    assert "start catalog" not in events(running.home)


def test_a_service_whose_program_is_not_there_is_given_up(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.behaviour.stack.tiny_stack.TinyService.command", lambda _: ["/nowhere/weed"])  # pyright: ignore[reportUnknownLambdaType]
    with supervised(settings, Tiny("store")) as running:
        assert "exit status 127" in running.wait_for("store", State.FAILED).detail


def test_a_log_that_grows_too_large_is_rotated(settings: Settings) -> None:
    with supervised(settings, Tiny("store")) as running:
        running.wait_for("store", State.HEALTHY)
        log = running.home.log("store")
        with log.open("ab") as file:
            file.write(b"x" * 1_100_000)
        eventually(lambda: log.stat().st_size == 0)
        assert log.with_name("store.log.1").stat().st_size == 1_100_000


def test_a_process_that_was_not_noted_never_runs(settings: Settings) -> None:
    """The gate of a start: without the supervisor's word the command is not run."""
    answer = subprocess.run(
        ["/bin/sh", "-c", _GATE, "sh", "echo", "it ran"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert answer.stdout == b""
    assert answer.returncode != 0


def test_a_check_that_goes_wrong_counts_as_a_failure(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_self: TinyService) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(TinyService, "check", check)
    with supervised(settings, Tiny("store")) as running:
        assert "ValueError: a bug" in running.wait_for("store", State.FAILED).detail


@pytest.mark.parametrize("error", [ValueError("a bug"), psutil.AccessDenied(1, "weed")])
def test_a_start_that_goes_wrong_counts_as_a_failure(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def prepare(_self: TinyService) -> None:
        raise error

    monkeypatch.setattr(TinyService, "prepare", prepare)
    with supervised(settings, Tiny("store")) as running:
        status = running.wait_for("store", State.FAILED)
    assert type(error).__name__ in status.detail
    assert status.restarts == POLICY.give_up_after - 1


def test_an_end_that_goes_wrong_does_not_end_the_keeping(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def settle(_self: TinyService, *, cleanly: bool) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(TinyService, "settle", settle)
    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        os.kill(first, signal.SIGKILL)
        eventually(lambda: running.service("store").restarts == 1)
        assert running.pid("store") != first


def test_a_process_that_cannot_be_killed_is_not_doubled(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when it waits for a broken disk: two at once would both write to the same data."""
    sick = settings.home / "store.sick"
    with supervised(settings, Tiny("store")) as running:
        first = running.pid("store")
        with monkeypatch.context() as stuck:
            stuck.setattr("boathouse.stack.keeper._REAP_TIMEOUT", 0.05)
            stuck.setattr("boathouse.stack.keeper.stop_session", lambda *_, **__: False)  # pyright: ignore[reportUnknownLambdaType]
            sick.touch()
            assert f"process {first} cannot be killed" in running.wait_for("store", State.FAILED).detail
        assert events(running.home) == ["start store"]
        assert str(first) in running.home.processes.read_text()
        sick.unlink()
        os.kill(first, signal.SIGKILL)
        running.supervisor.retry()
        assert running.pid("store") != first


def test_a_full_disk_stops_neither_the_services_nor_their_supervisor(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with supervised(settings, Tiny("store"), Tiny("catalog")) as running:
        first = running.pid("store")
        with monkeypatch.context() as full:
            full.setattr(StackStatus, "save", no_space)
            full.setattr("boathouse.stack.journal.write_atomically", no_space)
            os.kill(first, signal.SIGKILL)
            eventually(lambda: running.keeper("store").state is State.RESTARTING)
        eventually(lambda: running.service("store").restarts > 0)
        assert running.pid("store") != first
        assert running.service("catalog").restarts == 0
    assert events(running.home)[-1].startswith("stop")


def test_a_supervisor_that_fails_stops_its_services_first(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def tick(_self: Supervisor) -> None:
        if "start store" in events(Home(settings.home)):
            raise ValueError("a bug")

    monkeypatch.setattr(Supervisor, "_tick", tick)
    home = Home(settings.home)
    home.make()
    supervisor = Supervisor(home, "tiny", settings, services(settings, Tiny("store")), ProcessIdentity(1, "x"), POLICY)
    with pytest.raises(ValueError, match="a bug"):
        supervisor.run()
    assert events(home) == ["start store", "stop store"]

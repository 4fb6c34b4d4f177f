"""Runs a set of services: all that can at the same time, in the order of their needs, until it is told to stop."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import structlog

from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.journal import Journal
from boathouse.stack.keeper import Keeper, RestartPolicy
from boathouse.stack.logs import LogFile
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.service import Service
from boathouse.stack.status import StackStatus, State

_TICK = 0.1
_log = structlog.get_logger()


def _nothing() -> None:
    pass


@dataclass
class Supervisor:
    """Call `run` while holding the supervisor's lock."""

    home: Home
    profile: str
    settings: Settings
    services: Sequence[Service]
    identity: ProcessIdentity
    policy: RestartPolicy = field(default_factory=RestartPolicy)
    on_healthy: Callable[[], None] = _nothing
    """Called once, when all services are healthy for the first time."""

    def __post_init__(self) -> None:
        journal = Journal(self.home)
        self._stop = threading.Event()
        self._retry = threading.Event()
        self._said: StackStatus | None = None
        self._announced = False
        self._retries = 0
        self._complaint = ""
        self._keepers = {
            service.name: Keeper(
                service,
                journal=journal,
                log=LogFile(self.home.log(service.name), self.settings.log),
                settings=self.settings.stack,
                policy=self.policy,
                is_healthy=self._is_healthy,
            )
            for service in self.services
        }

    def stop(self) -> None:
        """Ask for the end. Safe in a signal handler."""
        self._stop.set()

    def retry(self) -> None:
        """Ask for what was given up to be tried again. Safe in a signal handler."""
        self._retry.set()

    def run(self) -> None:
        self._say()
        self._each(Keeper.start)
        try:
            while not self._stop.wait(_TICK):
                self._tick()
        finally:
            self._stop.set()
            self._stop_all()

    def _tick(self) -> None:
        if self._retry.is_set():
            self._retry.clear()
            self._retries += 1
            self._each(Keeper.retry)
        try:
            self._each(lambda keeper: keeper.log.rotate_if_large())
            LogFile(self.home.supervisor_log, self.settings.log).rotate_if_large()
        except OSError as error:
            self._complain(error)
        self._say()

    def _each(self, do: Callable[[Keeper], None]) -> None:
        for keeper in self._keepers.values():
            do(keeper)

    def _stop_all(self) -> None:
        """Each service once nobody is left who needs or uses it."""
        self._say()
        running = dict(self._keepers)
        while running:
            last = [name for name in running if not self._relied_on(name, set(running))] or list(running)
            for name in last:
                running[name].stop()
            for name in last:
                running.pop(name).join()
                self._say()

    def _relied_on(self, name: str, running: set[str]) -> bool:
        others = (self._keepers[other].service for other in running - {name})
        return any(name in (*service.needs, *service.uses) for service in others)

    def _is_healthy(self, name: str) -> bool:
        """What is not ours to run, such as a store elsewhere, is not ours to wait for."""
        return name not in self._keepers or self._keepers[name].status.state is State.HEALTHY

    def _say(self) -> None:
        status = StackStatus(
            profile=self.profile,
            pid=self.identity.pid,
            birth=self.identity.birth,
            services=tuple(keeper.status for keeper in self._keepers.values()),
            stopping=self._stop.is_set(),
            retries=self._retries,
        )
        if status == self._said:
            return
        try:
            if status.healthy and not self._announced:
                # Before it is said: whoever reads that all is well may go on to use it.
                self.on_healthy()
                self._announced = True
            status.save(self.home)
            self._said = status
        except OSError as error:
            self._complain(error)

    def _complain(self, error: OSError) -> None:
        """Of a full disk, say: it is tried again at the next tick, and the services run on."""
        if str(error) != self._complaint:
            self._complaint = str(error)
            _log.warning("the supervisor cannot write", reason=self._complaint)

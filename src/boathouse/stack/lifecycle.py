"""Starting and stopping a lakehouse from outside: what `boathouse up` and `boathouse down` do."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boathouse.kit.errors import Conflict, Unavailable, WorkFailed
from boathouse.kit.settings import Settings
from boathouse.stack.daemon import forget
from boathouse.stack.home import Home
from boathouse.stack.journal import exclusive, noted, read_identity, stop_orphans
from boathouse.stack.logs import LogFile, last_lines
from boathouse.stack.processes import ProcessIdentity, stop_session, wait_until_gone
from boathouse.stack.status import ServiceStatus, StackStatus, State

_POLL = 0.1
# Enough to load its modules on a busy machine, and to wait for a `down` that is still at work.
_FIRST_WORD = 90
# In a session of its own the supervisor does not end with the terminal, and with the shell gone it is nobody's child.
_DETACH = '"$@" </dev/null >&2 & echo $!'


@dataclass(frozen=True)
class Lakehouse:
    settings: Settings
    program: tuple[str, ...] = (sys.executable, "-m", "boathouse.stack")
    """Starts the supervisor, given the profile."""

    @property
    def home(self) -> Home:
        return Home(self.settings.home)

    def status(self) -> StackStatus | None:
        """What the supervisor says, if there is one alive to say it."""
        status = StackStatus.load(self.home)
        return status if status is not None and status.supervisor.alive() else None

    def start(self, profile: str) -> tuple[ProcessIdentity, bool]:
        """A supervisor for this home, and whether it was started now. It was not if one was there already."""
        self.home.make()
        with exclusive(self.home.start_lock, wait=True):
            running = self._lasting()
            if running is None:
                return self._spawn(profile), True
        if running.profile != profile:
            raise Conflict(
                f"This lakehouse runs with the profile {running.profile!r}, not {profile!r}.",
                hint="Run `boathouse down` first, then `boathouse up` with the other profile.",
            )
        self._retry(running)
        return running.supervisor, False

    def watch(self, supervisor: ProcessIdentity) -> Iterator[StackStatus]:
        """What the supervisor says, again and again, until all is healthy; raises if that will not happen."""
        unhealthy_since: dict[str, float] = {}
        while True:
            status = self._word_of(supervisor)
            if status is None and not supervisor.alive():
                raise self._gone()
            if status is not None:
                yield status
                if status.healthy:
                    return
                self._raise_if_hopeless(status)
                unhealthy_since = self._still_unhealthy(status, unhealthy_since)
            time.sleep(_POLL)

    def stop(self) -> list[str]:
        """Stop everything, whatever state it is in. Says which services ran."""
        if not self.home.run.is_dir():
            return []
        stopped = self._stop_supervisor()
        # As long as another `down` may be busy with what is left.
        deadline = time.monotonic() + self._stop_limit()
        while (orphans := self._clear_up()) is None:
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"Another process holds the lock of {self.home.path} and does not let go of it.",
                    hint="Another `boathouse up` or `boathouse down` may have got in: see `boathouse status`, and try again.",
                )
            time.sleep(_POLL)
            # An `up` may have got in between; who it started says so only once it has the lock.
            stopped += self._stop_supervisor()
        return list(dict.fromkeys(stopped + orphans))

    def _stop_supervisor(self) -> list[str]:
        """Whoever is the supervisor now. Says which services it ran."""
        running = self.status()
        names = [service.name for service in running.services if service.pid] if running else []
        # A supervisor of another version may keep its identity elsewhere; its status names it as well.
        known = (read_identity(self.home.supervisor), running.supervisor if running else None)
        for supervisor in dict.fromkeys(identity for identity in known if identity and identity.alive()):
            stop_session(supervisor, timeout=self._stop_limit())
        return names

    def _clear_up(self) -> list[str] | None:
        """Stop what no supervisor looks after and say what there was; None while somebody holds the lock."""
        with exclusive(self.home.supervisor_lock, wait=False) as held:
            if not held:
                return None
            orphans = stop_orphans(self.home)
            forget(self.home)
            return orphans

    def _lasting(self) -> StackStatus | None:
        """The supervisor that is there to stay; one that is stopping is waited for."""
        running = self.status()
        if running is not None and running.stopping:
            wait_until_gone([running.supervisor], timeout=self._stop_limit())
            running = self.status()
        return running

    def _retry(self, running: StackStatus) -> None:
        """Have it try again what it had given up, and wait until it has begun to."""
        if running.healthy:
            return
        os.kill(running.pid, signal.SIGHUP)
        deadline = time.monotonic() + _FIRST_WORD
        while (status := self.status()) and status.retries == running.retries:
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"The supervisor (process {running.pid}) does not react.",
                    hint="Run `boathouse down`, then `boathouse up`.",
                )
            time.sleep(_POLL)

    def _stop_limit(self) -> float:
        """Longer than the supervisor can take: at worst it kills its services one after the other."""
        patience = (entry.patience for entry in noted(self.home).values())
        return sum(each + 2 for each in (*patience, self.settings.stack.stop_timeout))

    def _spawn(self, profile: str) -> ProcessIdentity:
        command = ["/bin/sh", "-c", _DETACH, "sh", *self.program, profile]
        output = LogFile(self.home.supervisor_log, self.settings.log).open()
        try:
            shell = subprocess.run(command, stdout=subprocess.PIPE, stderr=output, start_new_session=True, check=True)
        finally:
            os.close(output)
        supervisor = ProcessIdentity.of(int(shell.stdout))
        if supervisor is None:
            raise self._gone()
        try:
            self._wait_for_word(supervisor)
        except BaseException:
            # Also on Ctrl-C: whoever does not wait for it does not want it.
            stop_session(supervisor, timeout=self._stop_limit())
            raise
        return supervisor

    def _wait_for_word(self, supervisor: ProcessIdentity) -> None:
        """Until it has the lock and says so: from then on every other command sees it."""
        deadline = time.monotonic() + _FIRST_WORD
        while self._word_of(supervisor) is None:
            if not supervisor.alive():
                raise self._gone()
            if time.monotonic() > deadline:
                raise Unavailable(
                    f"Another process holds the lock of {self.home.path}.", hint="Run `boathouse down` and try again."
                )
            time.sleep(_POLL)

    def _word_of(self, supervisor: ProcessIdentity) -> StackStatus | None:
        status = StackStatus.load(self.home)
        if status is None or status.supervisor != supervisor:
            return None
        if status.failure:
            raise status.failure.error()
        return status

    def _raise_if_hopeless(self, status: StackStatus) -> None:
        for service in status.services:
            if service.state is State.FAILED:
                raise self._failed(service)
        if status.stopping or not status.supervisor.alive():
            raise self._gone()

    def _still_unhealthy(self, status: StackStatus, since: Mapping[str, float]) -> dict[str, float]:
        """Since when each that is unhealthy is so; raises if it is too long for one that is never started anew."""
        now = time.monotonic()
        limit = self.settings.stack.start_timeout
        unhealthy = [service for service in status.services if service.state is State.UNHEALTHY]
        for service in unhealthy:
            if now - since.get(service.name, now) > limit:
                raise Unavailable(
                    f"{service.name} has been unhealthy for {limit} s: {service.detail}",
                    hint=f"Mend the cause, and it recovers by itself. `boathouse logs {service.name}` shows more; "
                    "`boathouse down` and `boathouse up` start it anew.",
                )
        return {service.name: since.get(service.name, now) for service in unhealthy}

    def _failed(self, service: ServiceStatus) -> WorkFailed:
        lines = "\n".join(last_lines(self.home.log(service.name), 15))
        return WorkFailed(
            f"{service.name} could not be started: {service.detail}. Its log ends with:\n{lines}",
            hint=f"`boathouse logs {service.name}` shows more, and `boathouse doctor` looks for the usual causes.",
        )

    def _gone(self) -> WorkFailed:
        lines = "\n".join(last_lines(self.home.supervisor_log, 15))
        return WorkFailed(
            f"The supervisor has ended: somebody stopped it, or it failed. Its log ends with:\n{lines}",
            hint="Run `boathouse up` again.",
        )

"""Keeps one service alive: starts it when what it needs is there, watches it, and starts it again when it ends."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from boathouse.kit.errors import BoathouseError
from boathouse.kit.settings import StackSettings
from boathouse.stack.journal import Journal
from boathouse.stack.logs import LogFile
from boathouse.stack.processes import ProcessIdentity, stop_session
from boathouse.stack.service import Broken, Impaired, NotReady, Service
from boathouse.stack.status import ServiceStatus, State

# What was killed is gone at once, unless it waits for a broken disk: then there is no use in waiting, too.
_REAP_TIMEOUT = 5
_log = structlog.get_logger()


@dataclass(frozen=True)
class RestartPolicy:
    """How patient a keeper is. All in seconds, unless it counts something."""

    first_pause: float = 0.5
    longest_pause: float = 30
    give_up_after: int = 5
    """Ends in a row, each too soon after its start."""
    steady_after: float = 60
    """Healthy for so long, a service has earned a clean slate."""
    check_every: float = 5
    unhealthy_after: int = 3
    """Failed checks in a row; one alone may be a pause of a busy machine."""
    replace_after: int = 12
    poll: float = 0.1

    def pause(self, failures: int) -> float:
        return min(self.first_pause * 2 ** (failures - 1), self.longest_pause)


class Keeper:
    def __init__(
        self,
        service: Service,
        *,
        journal: Journal,
        log: LogFile,
        settings: StackSettings,
        policy: RestartPolicy,
        is_healthy: Callable[[str], bool],
    ) -> None:
        self.service = service
        self.log = log
        self._journal = journal
        self._settings = settings
        self._policy = policy
        self._is_healthy = is_healthy
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._failures = 0
        self._proven = False
        self._unkilled: ProcessIdentity | None = None
        self._status = ServiceStatus(name=service.name, state=State.WAITING, address=service.address())
        self._thread = threading.Thread(target=self._keep, name=service.name, daemon=True)

    @property
    def status(self) -> ServiceStatus:
        return self._status

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask for the end; `join` waits for it."""
        self._stop.set()
        self._wake.set()

    def join(self) -> None:
        self._thread.join()

    def retry(self) -> None:
        """Try at once a service that was given up or is pausing."""
        if self._status.state in {State.FAILED, State.RESTARTING}:
            self._failures = 0
            # Before it is woken, so that nobody who asked for this still sees it given up.
            self._set(State.RESTARTING)
            self._wake.set()

    def _keep(self) -> None:
        while self._wait_for_needs():
            reason = self._live()
            if self._stop.is_set():
                break
            self._rest(reason)
        self._set(State.STOPPED, pid=None, birth=None, started_at=None, detail="")

    def _wait_for_needs(self) -> bool:
        while missing := [name for name in self.service.needs if not self._is_healthy(name)]:
            self._set(State.WAITING, detail=f"waits for {', '.join(missing)}")
            if self._stop.wait(self._policy.poll):
                return False
        return not self._stop.is_set()

    def _live(self) -> str:
        """From start to end, once. Says why it ended."""
        try:
            process, identity = self._start()
        except (BoathouseError, OSError) as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, a thread that ended would leave it starting for ever
            return f"its start failed with {type(error).__name__}: {error}"
        try:
            return self._until_healthy(process) or self._watch(process)
        except Exception as error:  # noqa: BLE001 - whatever a check raises, the service must not be left unwatched
            return f"its check failed with {type(error).__name__}: {error}"
        finally:
            self._end(process, identity)

    def _start(self) -> tuple[subprocess.Popen[bytes], ProcessIdentity]:
        self._set(State.STARTING, detail="")
        service = self.service
        if self._unkilled and self._unkilled.alive():
            # Two at once would both write to the same data.
            raise NotReady(f"its process {self._unkilled.pid} cannot be killed")
        service.prepare()
        output = self.log.open()
        try:
            process, identity = self._journal.start(
                service.name,
                service.command(),
                environment={**os.environ, **service.environment()},
                log=output,
                directory=service.site.home.path,
                patience=self._patience,
                stop_signal=service.stop_signal,
            )
        finally:
            os.close(output)
        self._set(State.STARTING, pid=identity.pid, birth=identity.birth, started_at=time.time())
        _log.info("started", service=service.name, pid=process.pid)
        return process, identity

    def _until_healthy(self, process: subprocess.Popen[bytes]) -> str | None:
        """None once it is healthy, else why it never was."""
        deadline = time.monotonic() + self._settings.start_timeout
        while not self._stop.wait(self._policy.poll):
            if process.poll() is not None:
                return f"ended with {_exit(process)} before it was healthy"
            problem = self._problem()
            if problem is None:
                return None
            if isinstance(problem, Broken):
                return self._give_up(problem)
            self._set(State.STARTING, detail=str(problem))
            if time.monotonic() > deadline:
                return f"not healthy after {self._settings.start_timeout} s: {problem}"
        return "stopped"

    def _give_up(self, problem: Broken) -> str:
        """Try no more what never was well; what was may be so again, and is tried as often as anything else."""
        if not self._proven:
            self._failures = self._policy.give_up_after - 1
        return str(problem)

    def _watch(self, process: subprocess.Popen[bytes]) -> str:
        """Until it ends or has been unhealthy for too long."""
        _log.info("healthy", service=self.service.name)
        self._proven = True
        self._set(State.HEALTHY, detail="")
        healthy_since = next_check = time.monotonic()
        failed_checks = 0
        while not self._stop.wait(self._policy.poll):
            now = time.monotonic()
            if now - healthy_since > self._policy.steady_after:
                self._failures = 0
            if process.poll() is not None:
                return f"ended with {_exit(process)}"
            if now < next_check + self._policy.check_every:
                continue
            failed_checks = self._check_again(failed_checks)
            next_check = time.monotonic()
            if failed_checks >= self._policy.replace_after:
                return f"unhealthy: {self._status.detail}"
        return "stopped"

    def _check_again(self, failed_checks: int) -> int:
        """How many checks in a row have failed now, as far as a new start may help: one that is impaired has answered."""
        problem = self._problem()
        if problem is None:
            self._set(State.HEALTHY, detail="")
            return 0
        if failed_checks + 1 >= self._policy.unhealthy_after:
            self._set(State.UNHEALTHY, detail=str(problem))
        policy = self._policy
        return min(failed_checks + 1, policy.unhealthy_after if isinstance(problem, Impaired) else policy.replace_after)

    def _problem(self) -> NotReady | None:
        try:
            self.service.check()
        except NotReady as problem:
            return problem
        return None

    def _end(self, process: subprocess.Popen[bytes], identity: ProcessIdentity) -> None:
        self._set(State.STOPPING)
        reaper = threading.Thread(target=process.wait, daemon=True)
        reaper.start()
        asked = stop_session(identity, timeout=self._patience, signal_number=self.service.stop_signal)
        reaper.join(_REAP_TIMEOUT)
        if process.returncode is None:
            # It stays in the journal, so that whoever comes next tries again.
            self._unkilled = identity
            _log.warning("cannot be killed", service=self.service.name, pid=identity.pid)
            return
        _log.info("stopped", service=self.service.name, status=process.returncode)
        self._settle(cleanly=asked and process.returncode != -signal.SIGKILL)

    def _settle(self, *, cleanly: bool) -> None:
        try:
            self._journal.ended(self.service.name)
            self.service.settle(cleanly=cleanly)
        except Exception as error:  # noqa: BLE001 - a full disk, say, must not keep it or the others from being looked after
            _log.warning("not settled", service=self.service.name, reason=f"{type(error).__name__}: {error}")

    @property
    def _patience(self) -> float:
        limit, quick = max(self._settings.stop_timeout, self.service.slow_stop), self.service.quick_stop
        return limit if quick is None else min(limit, quick)

    def _rest(self, reason: str) -> None:
        """Pause before the next start, each time longer; give up when it never lasts."""
        self._failures += 1
        given_up = self._failures >= self._policy.give_up_after
        _log.warning("ended", service=self.service.name, reason=reason, failures=self._failures)
        self._set(
            State.FAILED if given_up else State.RESTARTING,
            pid=None,
            birth=None,
            started_at=None,
            detail=reason,
            restarts=self._status.restarts + (not given_up),
        )
        self._wake.wait(None if given_up else self._policy.pause(self._failures))
        if not self._stop.is_set():
            self._wake.clear()

    def _set(self, state: State, **changes: str | float | None) -> None:
        self._status = self._status.model_copy(update={"state": state, **changes})


def _exit(process: subprocess.Popen[bytes]) -> str:
    code = process.returncode
    return f"signal {-code}" if code < 0 else f"exit status {code}"

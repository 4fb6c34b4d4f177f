"""The supervisor as a process of its own: one for each home, started by `boathouse up`, ended by `boathouse down`."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType

import structlog

from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.journal import exclusive, stop_orphans, write_identity
from boathouse.stack.keeper import RestartPolicy
from boathouse.stack.object_access import probe
from boathouse.stack.place import keep_place
from boathouse.stack.plan import plan, port_book
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.service import NotReady, Service
from boathouse.stack.status import Failure, StackStatus
from boathouse.stack.supervisor import Supervisor

_log = structlog.get_logger()


Planner = Callable[[Settings, str], Sequence[Service]]


def core_plan(settings: Settings, profile: str) -> Sequence[Service]:
    keep_place(settings)
    services = plan(settings, profile, port_book(settings))
    _check_foreign_store(settings, services)
    return services


def serve(
    settings: Settings, profile: str, *, planner: Planner = core_plan, policy: RestartPolicy | None = None
) -> int:
    """Supervise until SIGTERM. The exit status."""
    home = Home(settings.home)
    home.make()
    with exclusive(home.supervisor_lock, wait=True):
        first_word = _status(profile)
        write_identity(home.supervisor, first_word.supervisor)
        first_word.save(home)
        try:
            _clear_the_ground(home)
            services = planner(settings, profile)
        except BoathouseError as error:
            _log.error("failed", reason=str(error))
            first_word.model_copy(update={"failure": Failure.of(error)}).save(home)
            return 1
        lake = services[0].site.lake
        supervisor = Supervisor(
            home=home,
            profile=profile,
            settings=settings,
            services=services,
            identity=first_word.supervisor,
            policy=policy or RestartPolicy(),
            on_healthy=lambda: lake.save(home.path),
        )
        _run(supervisor)
    return 0


def _run(supervisor: Supervisor) -> None:
    def stop(_number: int, _frame: FrameType | None) -> None:
        supervisor.stop()

    def retry(_number: int, _frame: FrameType | None) -> None:
        supervisor.retry()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGHUP, retry)
    supervisor.run()
    # Not if that fails: then the notes are how the next supervisor finds what is still running.
    forget(supervisor.home)


def forget(home: Home) -> None:
    """Take back what was said about a running lakehouse."""
    LakeAccess.path(home.path).unlink(missing_ok=True)
    home.status.unlink(missing_ok=True)
    home.processes.unlink(missing_ok=True)


def _clear_the_ground(home: Home) -> None:
    orphans = stop_orphans(home)
    if orphans:
        _log.warning("stopped what an earlier supervisor left running", services=orphans)
    LakeAccess.path(home.path).unlink(missing_ok=True)


def _check_foreign_store(settings: Settings, services: Sequence[Service]) -> None:
    if settings.object_store.endpoint is None:
        return
    access = services[0].site.lake.object_store
    try:
        probe(access)
    except NotReady as error:
        raise Unavailable(
            f"The bucket {access.bucket} at {access.endpoint} cannot be used: {error}.",
            hint="Check object_store.endpoint, its keys and region, and that the bucket is there.",
        ) from error


def _status(profile: str) -> StackStatus:
    me = ProcessIdentity.of(os.getpid())
    if me is None:
        sys.exit("This process cannot be found in the system's table of processes.")
    return StackStatus(profile=profile, pid=me.pid, birth=me.birth)

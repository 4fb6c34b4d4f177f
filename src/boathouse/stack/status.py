"""What the supervisor says about itself and its services, in a file that commands read."""

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from boathouse.kit.errors import BoathouseError, Forbidden
from boathouse.kit.files import PRIVATE, write_atomically
from boathouse.stack.home import Home
from boathouse.stack.processes import ProcessIdentity


class State(StrEnum):
    WAITING = "waiting"  # for a service it needs
    STARTING = "starting"
    HEALTHY = "healthy"
    UNHEALTHY = "unhealthy"  # runs, but its check fails
    RESTARTING = "restarting"  # ended by itself; starts again after a pause
    FAILED = "failed"  # ended too often too quickly; given up until the next `up`
    STOPPING = "stopping"
    STOPPED = "stopped"


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class ServiceStatus(Frozen):
    name: str
    state: State
    address: str
    pid: int | None = None
    birth: str | None = None
    restarts: int = 0
    started_at: float | None = None
    """Seconds since 1970."""
    detail: str = ""
    """Why it is not healthy."""

    def process(self) -> ProcessIdentity | None:
        return ProcessIdentity(self.pid, self.birth) if self.pid and self.birth else None


class Failure(Frozen):
    """Why the supervisor could not start at all."""

    code: str
    message: str
    hint: str | None

    @classmethod
    def of(cls, error: BoathouseError) -> Self:
        return cls(code=error.code, message=str(error), hint=error.hint)

    def error(self) -> BoathouseError:
        kinds = {kind.code: kind for kind in _error_classes(BoathouseError)}
        return kinds.get(self.code, BoathouseError)(self.message, hint=self.hint)


class StackStatus(Frozen):
    profile: str
    pid: int
    birth: str
    services: tuple[ServiceStatus, ...] = ()
    stopping: bool = False
    retries: int = 0
    """How often it was asked to try again what it had given up."""
    failure: Failure | None = None

    @property
    def healthy(self) -> bool:
        return bool(self.services) and all(service.state is State.HEALTHY for service in self.services)

    @property
    def supervisor(self) -> ProcessIdentity:
        return ProcessIdentity(self.pid, self.birth)

    def save(self, home: Home) -> None:
        write_atomically(home.status, self.model_dump_json(indent=2).encode(), mode=PRIVATE)

    @classmethod
    def load(cls, home: Home) -> Self | None:
        """What was last said; None if nothing, or nothing that can be read."""
        try:
            return cls.model_validate_json(home.status.read_bytes())
        except (FileNotFoundError, NotADirectoryError, ValidationError):
            return None
        except PermissionError:
            raise Forbidden(
                f"The lakehouse in {home.path} belongs to somebody else.",
                hint="Set BOATHOUSE_HOME to a directory of your own.",
            ) from None


def _error_classes(root: type[BoathouseError]) -> list[type[BoathouseError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in _error_classes(child))]

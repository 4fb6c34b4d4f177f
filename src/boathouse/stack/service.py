"""What a service is: what it needs, how it is configured and started, and how it shows that it is well."""

import signal
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import Unavailable
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.ports import PortWish


class NotReady(Unavailable):
    """The service does not do its work, or not yet; the message says what is missing."""


class Impaired(NotReady):
    """It does a part of its work, and starting it again would not help: on a full disk, say."""


class Broken(NotReady):
    """It never will, and neither waiting nor starting it again would help: a package is missing, say."""


@dataclass(frozen=True)
class Site:
    """Where a service runs: all that is decided before it starts."""

    settings: Settings
    home: Home
    ports: Mapping[str, int]
    lake: LakeAccess
    artifacts: Mapping[str, Sequence[Path]]
    """The files of each group of the lock."""


class Service(ABC):
    """One supervised process. Its command must become that process (exec), not stay its parent."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    """Services that must be healthy before this one is started."""
    uses: ClassVar[tuple[str, ...]] = ()
    """Services it can start without, but that must not be stopped before it."""
    artifacts: ClassVar[tuple[str, ...]] = ()
    """Groups of the lock that it needs."""
    quick_stop: ClassVar[float | None] = None
    """Seconds after which it may be killed although stack.stop_timeout is longer."""
    slow_stop: ClassVar[float] = 0
    """Seconds that it has to stop although stack.stop_timeout is shorter."""
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    """What asks it to stop."""

    def __init__(self, site: Site) -> None:
        self.site = site

    @classmethod
    def wanted(cls, settings: Settings) -> bool:
        """False where the settings point to one that runs elsewhere."""
        del settings
        return True

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        del settings
        return ()

    @classmethod  # noqa: B027 - few need what no lock lists
    def install(cls, settings: Settings) -> None:
        """Get what it needs beside the lock's artifacts. May take minutes; `up` calls it before anything starts."""

    @abstractmethod
    def address(self) -> str:
        """Where it answers, for people."""

    def prepare(self) -> None:  # noqa: B027 - many have nothing to write
        """Write its configuration. Called before each start."""

    @abstractmethod
    def command(self) -> list[str]:
        """Never holds a secret: everybody can read a command line."""

    def environment(self) -> dict[str, str]:
        """Variables beside the inherited ones; here a secret may stand."""
        return {}

    @abstractmethod
    def check(self) -> None:
        """Raise NotReady unless it does its work. Takes a few seconds at most."""

    def settle(self, *, cleanly: bool) -> None:  # noqa: B027 - most leave nothing
        """Finish what its end leaves to do. `cleanly` is false if it had to be killed."""

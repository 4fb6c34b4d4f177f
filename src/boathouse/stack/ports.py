"""Which port each part answers on: the one configured, the one it had before, its default, or the next free one."""

import contextlib
import fcntl
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from pydantic import TypeAdapter

from boathouse.kit.errors import ConfigurationError
from boathouse.kit.files import write_atomically

LOOPBACK = "127.0.0.1"
_TRIES = 200
_KEPT = TypeAdapter(dict[str, int])


@dataclass(frozen=True)
class PortWish:
    """A port that a service asks for."""

    name: str
    """Such as `catalog` or `object-store.master`."""
    default: int
    configured: int | None = None
    setting: str | None = None
    """Which setting gives `configured`, so that an error can name it."""
    blocked: Callable[[int], bool] | None = None
    """Whether something else than a listener makes a port useless to this service."""


@dataclass
class PortBook:
    """The ports of one lakehouse, kept in its home so that they are the same at the next start.

    A port between being chosen and being bound is free in the eyes of everybody else. Each chosen port is therefore also
    reserved until this process ends, which other lakehouses respect.
    """

    kept_in: Path
    reservations: Path
    _held: dict[int, int] = field(default_factory=dict[int, int])

    def assign(self, wishes: Iterable[PortWish]) -> dict[str, int]:
        kept = self._kept()
        chosen = {wish.name: self._choose(wish, kept.get(wish.name)) for wish in wishes}
        write_atomically(self.kept_in, _KEPT.dump_json(kept | chosen, indent=2))
        return chosen

    def release(self) -> None:
        for descriptor in self._held.values():
            os.close(descriptor)
        self._held.clear()

    def _choose(self, wish: PortWish, kept: int | None) -> int:
        if wish.configured is not None:
            return self._insist(wish.configured, wish.setting or wish.name)
        for port in self._candidates(wish.default, kept):
            if not (wish.blocked and wish.blocked(port)) and self._take(port):
                return port
        raise ConfigurationError(
            f"No free port was found for {wish.name} from {wish.default} on.", hint="Stop what holds them."
        )

    def _candidates(self, default: int, kept: int | None) -> Iterator[int]:
        if kept is not None:
            yield kept
        yield from range(default, min(default + _TRIES, 65536))

    def _insist(self, port: int, setting: str) -> int:
        if not self._take(port):
            raise ConfigurationError(
                f"{setting} is {port}, but that port is taken{_by_whom(port)}.",
                hint=f"Stop that program, set {setting} to another port, or unset it to let a free one be chosen.",
            )
        return port

    def _take(self, port: int) -> bool:
        if port in self._held:
            return False
        # Reserved before it is looked at: whoever had it may just have bound it.
        descriptor = _name_reserved(port) if sys.platform == "linux" else self._file_reserved(port)
        if descriptor is None:
            return False
        if not is_free(port):
            os.close(descriptor)
            return False
        self._held[port] = descriptor
        return True

    def _file_reserved(self, port: int) -> int | None:
        """Among the lakehouses that share a cache."""
        self.reservations.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.reservations / str(port), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        return descriptor

    def _kept(self) -> dict[str, int]:
        try:
            return _KEPT.validate_json(self.kept_in.read_bytes())
        except (FileNotFoundError, ValueError):
            return {}


def _name_reserved(port: int) -> int | None:
    """Among all on this machine, of whichever user and cache: a name that belongs to one socket, in no directory.

    Linux keeps such names for each network by itself, as it does ports, and forgets one with its process.
    """
    reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        reservation.bind(f"\0boathouse-port-{port}")
    except OSError:
        reservation.close()
        return None
    return reservation.detach()


def is_free(port: int) -> bool:
    """Nobody listens there, on either loopback address, and it can be bound."""
    if answers(port) or answers(port, "::1"):
        return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def answers(port: int, address: str = LOOPBACK) -> bool:
    """Somebody accepts connections there."""
    try:
        with socket.create_connection((address, port), timeout=1):
            return True
    except OSError:
        return False


def holder(port: int) -> str | None:
    """Who listens there, as far as this user may know."""
    # Where the system's table may not be read, as on macOS, only the processes of this user can be asked.
    with contextlib.suppress(psutil.AccessDenied):
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr[1] == port and connection.status == psutil.CONN_LISTEN:
                return _name(connection.pid)
    return None


def _name(pid: int | None) -> str | None:
    with contextlib.suppress(psutil.Error):
        return f"{psutil.Process(pid).name()} (process {pid})" if pid else None
    return None


def _by_whom(port: int) -> str:
    name = holder(port)
    return f" by {name}" if name else ""

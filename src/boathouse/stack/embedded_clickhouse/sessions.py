"""Connections that outlive a request: what was SET and which temporary tables were made stay, as long as they are asked for.

All of it runs on the event loop; only `Session.apply` asks the engine, and is called where the query runs.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import orjson

from boathouse.stack.embedded_clickhouse.engine import Connection
from boathouse.stack.embedded_clickhouse.errors import ClickHouseError
from boathouse.stack.embedded_clickhouse.questions import Session
from boathouse.stack.embedded_clickhouse.sql_text import quoted


@dataclass
class HeldConnection:
    """A connection, and which settings of requests lie over its own."""

    connection: Connection
    lasts: bool = False
    """Whether another request will have it, so that settings have to be undone."""
    overlaid: dict[str, str] = field(default_factory=dict[str, str])
    before: dict[str, str | None] = field(default_factory=dict[str, str | None])

    def apply(self, settings: Mapping[str, str]) -> None:
        """A request's settings are its own: what an earlier one gave is undone."""
        gone = {name: self.before.pop(name) for name in list(self.overlaid) if name not in settings}
        new = {name: value for name, value in settings.items() if self.overlaid.get(name) != value}
        unknown = [name for name in new if name not in self.before] if self.lasts else []
        for name in gone:
            del self.overlaid[name]
        if unknown:
            self.before.update(self._values(unknown))
        # Apart from each other: a new one may be refused, and the old ones are gone all the same.
        self.connection.set(gone)
        self.connection.set(new)
        self.overlaid.update(new)

    def _values(self, names: list[str]) -> dict[str, str | None]:
        """What they are now; None for what nobody has set."""
        listed = ", ".join(quoted(name) for name in names)
        sql = f"SELECT name, value FROM system.settings WHERE changed AND name IN ({listed})"  # noqa: S608 - quoted
        told, _ = self.connection.run(sql, "JSONCompactEachRow")
        changed: dict[str, str] = dict(orjson.loads(line) for line in told.splitlines())
        return {name: changed.get(name) for name in names}


@dataclass
class _Entry:
    held: HeldConnection
    timeout: int
    busy: bool = True
    expires: float = 0.0


class Sessions:
    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._entries: dict[str, _Entry] = {}

    def take(self, asked: Session) -> HeldConnection:
        self.expire()
        entry = self._entries.get(asked.name)
        if entry is None:
            if asked.must_exist:
                raise ClickHouseError(372, "SESSION_NOT_FOUND", f"Session {asked.name} not found")
            entry = self._entries[asked.name] = _Entry(HeldConnection(self._connect(), lasts=True), asked.timeout)
        elif entry.busy:
            raise ClickHouseError(373, "SESSION_IS_LOCKED", f"Session {asked.name} is locked by a concurrent client")
        entry.busy, entry.timeout = True, asked.timeout
        return entry.held

    def give_back(self, asked: Session) -> None:
        entry = self._entries[asked.name]
        entry.busy = False
        entry.expires = time.monotonic() + entry.timeout
        if asked.closes:
            del self._entries[asked.name]
            entry.held.connection.close()

    def expire(self) -> None:
        now = time.monotonic()
        for name, entry in list(self._entries.items()):
            if not entry.busy and entry.expires < now:
                del self._entries[name]
                entry.held.connection.close()

    def close(self) -> None:
        for entry in self._entries.values():
            entry.held.connection.close()
        self._entries.clear()

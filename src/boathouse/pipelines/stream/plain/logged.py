"""What the log keeps of plain messages: where they came from, and what they say."""

from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from boathouse.pipelines.stream.plain.changes import TOLD, PlainChanges, source_at
from boathouse.pipelines.stream.plain.columns import MOMENT, every
from boathouse.pipelines.stream.plain.events import PlainEvents


class Logged(Protocol):
    def of(self, messages: Any) -> "LogRows":
        """Of those messages that are plain."""
        ...


@dataclass(frozen=True)
class LogRows:
    plain: Any
    """Which of the messages they are of."""
    columns: dict[str, Any]
    made_at: Any
    """When each was made."""


@dataclass(frozen=True)
class LoggedEvents:
    reader: PlainEvents

    def of(self, messages: Any) -> LogRows:
        plain, *values = self.reader.of(messages).flatten()
        here, *said = _where(plain, messages, *values)
        origin = _origin(here)
        return LogRows(plain, {**origin, **dict(zip(self.reader.columns, said, strict=True))}, origin["kafka_at"])


@dataclass(frozen=True)
class LoggedChanges:
    reader: PlainChanges

    def of(self, messages: Any) -> LogRows:
        read = self.reader.read(messages["topic"], messages["value"])
        plain, *told = read.flatten()[: 1 + len(TOLD)]
        here, op, lsn, _, tx, source_ms = _where(plain, messages, *told)
        made_at = source_at(source_ms)
        value = here["value"].cast(pa.string())
        said = {"op": op, "lsn": lsn, "tx": tx, "source_at": made_at, "value": value}
        return LogRows(plain, {**_origin(here), **said}, made_at)


def _where(plain: Any, *given: Any) -> list[Any]:
    """Mostly that is all of it, and nothing is copied."""
    return list(given) if every(plain) else [one.filter(plain) for one in given]


def _origin(messages: Any) -> dict[str, Any]:
    return {
        "topic": messages["topic"],
        "partition": messages["partition"],
        "offset": messages["offset"],
        "kafka_at": messages["timestamp"].cast(MOMENT),
        "key": messages["key"].cast(pa.string()),
    }

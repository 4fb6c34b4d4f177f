"""What was done about rejected rows, one entry after another, and what follows from it."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import pyarrow as pa

Rows = Any
ID_LENGTH = 32


class Action(StrEnum):
    MENDED = "mended"
    """Its text was changed; it waits for its replay."""
    FAILED = "failed"
    """It was replayed and is still not good: the note says why."""
    REPLAYED = "replayed"
    """It went the way of a row that stood so in its file. That is for good."""
    DISCARDED = "discarded"
    REOPENED = "reopened"


class RejectState(StrEnum):
    OPEN = "open"
    REPLAYED = "replayed"
    DISCARDED = "discarded"


MENDS = pa.schema(
    [
        ("reject", pa.string()),
        ("action", pa.string()),
        ("raw", pa.string()),
        ("note", pa.string()),
        ("load_id", pa.string()),
        ("by", pa.string()),
        ("at", pa.timestamp("us", "UTC")),
    ]
)
"""`raw` is the text that the action was about, where it is not the one that was rejected; `load_id` the replay's."""


@dataclass(frozen=True)
class Entry:
    reject: str
    action: Action
    at: datetime
    by: str = ""
    raw: str | None = None
    note: str | None = None
    load_id: str | None = None


@dataclass(frozen=True)
class Fate:
    """Where a rejected row is by now."""

    state: RejectState = RejectState.OPEN
    raw: str | None = None
    """As it was mended last."""
    reason: str | None = None
    """Why it failed when it was replayed last."""
    note: str | None = None
    load_id: str | None = None
    by: str = ""
    at: datetime | None = None


UNTOUCHED = Fate()


def reject_id(load_id: str, file: str, line: int | None) -> str:
    """The place says which row it is; so it needs no column of its own, and old tables have it too."""
    place = "\n".join((load_id, file) if line is None else (load_id, file, str(line)))
    return hashlib.sha256(place.encode()).hexdigest()[:ID_LENGTH]


def after(fate: Fate, entry: Entry) -> Fate:
    """What an entry changes. A row that was replayed is in its table, whatever anybody writes afterwards."""
    if fate.state is RejectState.REPLAYED:
        return fate
    now = replace(fate, by=entry.by, at=entry.at)
    match entry.action:
        case Action.MENDED:
            return replace(now, raw=entry.raw, note=entry.note)
        case Action.FAILED:
            return replace(now, reason=entry.note, load_id=entry.load_id)
        case Action.REPLAYED:
            return replace(now, state=RejectState.REPLAYED, note=entry.note, load_id=entry.load_id)
        case Action.DISCARDED:
            return replace(now, state=RejectState.DISCARDED, note=entry.note)
        case Action.REOPENED:
            return replace(now, state=RejectState.OPEN, note=entry.note)


def fates(entries: Iterable[Entry]) -> dict[str, Fate]:
    """Of every row that anything was done about."""
    found: dict[str, Fate] = {}
    for entry in sorted(entries, key=lambda one: one.at):
        found[entry.reject] = after(found.get(entry.reject, UNTOUCHED), entry)
    return found


def read_entries(rows: Rows) -> list[Entry]:
    return [_entry(row) for row in rows.to_pylist()]


def _entry(row: dict[str, Any]) -> Entry:
    known: dict[str, Any] = {**row, "action": Action(row["action"]), "by": row["by"] or ""}
    return Entry(**known)


def as_rows(entries: Iterable[Entry]) -> Rows:
    return pa.Table.from_pylist([vars(entry) for entry in entries], schema=MENDS)


def next_moment(known: Mapping[str, Fate]) -> datetime:
    """Now, but after every entry that is there: clocks differ, and the order of entries is their meaning."""
    last = max((fate.at for fate in known.values() if fate.at), default=None)
    now = datetime.now(UTC)
    return now if last is None else max(now, last + timedelta(microseconds=1))

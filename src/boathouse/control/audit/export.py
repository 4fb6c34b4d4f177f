"""The audit as a file: lines of JSON, or a table for a spreadsheet."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable
from enum import StrEnum

import orjson

from boathouse.control.audit import repository
from boathouse.control.audit.repository import Wanted
from boathouse.control.audit.schemas import AuditLine
from boathouse.control.database import Database

_PAGE = 500
# What a spreadsheet would take for a formula: whoever fails to log in chooses the name that stands here.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Format(StrEnum):
    JSON_LINES = "jsonl"
    CSV = "csv"

    @property
    def media_type(self) -> str:
        return "text/csv" if self is Format.CSV else "application/x-ndjson"


async def exported(database: Database, wanted: Wanted, form: Format) -> AsyncIterator[bytes]:
    """In pieces, the newest entry first."""
    written: Callable[[Iterable[AuditLine]], bytes] = _rows if form is Format.CSV else _lines
    if form is Format.CSV:
        yield _table([list(AuditLine.model_fields)])
    before: int | None = None
    while True:
        async with database.reading() as session:
            found = await repository.find(session, wanted, before=before, limit=_PAGE)
        yield written(AuditLine.model_validate(entry) for entry in found)
        if len(found) < _PAGE:
            return
        before = found[-1].number


def _lines(entries: Iterable[AuditLine]) -> bytes:
    return b"".join(entry.model_dump_json().encode() + b"\n" for entry in entries)


def _rows(entries: Iterable[AuditLine]) -> bytes:
    return _table([[_cell(value) for value in entry.model_dump(mode="json").values()] for entry in entries])


def _cell(value: object) -> str:
    text = value if isinstance(value, str) else "" if value is None else orjson.dumps(value).decode()
    return f"'{text}" if text.startswith(_FORMULA) else text


def _table(rows: list[list[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue().encode()

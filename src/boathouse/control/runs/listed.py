"""A page of runs as the bytes of its answer.

A list is what is asked for most, and is hundreds of small values: they are passed on as the database gives them. To make
objects of them and text of those again took a third more of the whole request's CPU. What it says is as `Page[RunTold]` describes it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import JSON, Column, ColumnElement, Row, String, type_coerce

from boathouse.control.database.base import Moment, table_of
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold

_TOLD = tuple(table_of(Run).c[name] for name in RunTold.model_fields)


def _kind(column: Column[Any]) -> str:
    """Which of the ways below it is told in."""
    if column.name == "result":
        return "result"
    if isinstance(column.type, JSON):
        return "document"
    return "moment" if isinstance(column.type, Moment) else "plain"


_KINDS = tuple((column.name, _kind(column)) for column in _TOLD)


def columns() -> Sequence[ColumnElement[Any]]:
    """For a statement whose rows `page` takes: as the driver reads them. Of SQLite documents and moments are text."""
    return [type_coerce(column, String()).label(column.name) for column in _TOLD]


def page(found: Sequence[Row[Any]], limit: int) -> bytes:
    """Of rows one more than the limit, if there are more."""
    items = [_told(row) for row in found[:limit]]
    following = items[-1]["id"] if len(found) > limit else None
    return orjson.dumps({"items": items, "next": following}, option=orjson.OPT_UTC_Z)


def _told(row: Row[Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for (name, kind), value in zip(_KINDS, row, strict=True):
        if value is None or kind == "plain":
            told[name] = value
        elif kind == "document":
            told[name] = orjson.Fragment(value) if isinstance(value, str) else value
        elif kind == "moment":
            told[name] = _moment(value)
        else:
            told[name] = outside(orjson.loads(value) if isinstance(value, str) else value)
    return told


def _moment(value: str | datetime) -> str | datetime:
    """Text is in UTC without saying so; what Postgres' driver gives is written with its zone."""
    return f"{value[:10]}T{value[11:]}Z" if isinstance(value, str) else value


def outside(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where its rows are is for nobody outside."""
    return result and {name: value for name, value in result.items() if name != "path"}

"""A page of runs as the bytes of its answer.

A list is what is asked for most, and is hundreds of small values: they are passed on as the database gives them. To make
objects of them and text of those again took a third more of the whole request's CPU. What it says is as `Page[RunTold]` describes it.
"""

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import JSON, ColumnElement, Row, String, type_coerce

from boathouse.control.database.base import Moment, table_of
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold

_TOLD = tuple(table_of(Run).c[name] for name in RunTold.model_fields)


_NAMES = tuple(column.name for column in _TOLD)
_MOMENTS, _DOCUMENTS = (
    tuple(column.name for column in _TOLD if isinstance(column.type, kind) and column.name != "result")
    for kind in (Moment, JSON)
)


def columns() -> Sequence[ColumnElement[Any]]:
    """For a statement whose rows `page` takes: as the driver reads them. Of SQLite documents and moments are text."""
    return [type_coerce(column, String()).label(column.name) for column in _TOLD]


def page(found: Sequence[Row[Any]], limit: int) -> bytes:
    """Of rows one more than the limit, if there are more."""
    # Of SQLite moments are text, of Postgres they are not, and every run has this one.
    moments = _MOMENTS if found and isinstance(found[0].created_at, str) else ()
    items = [_told(row, moments) for row in found[:limit]]
    following = items[-1]["id"] if len(found) > limit else None
    return orjson.dumps({"items": items, "next": following}, option=orjson.OPT_UTC_Z)


def _told(row: Row[Any], moments: Sequence[str]) -> dict[str, Any]:
    # Only what is text has to be changed, so that there is little to do for most of the values.
    told: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    for name in moments:
        # In UTC without saying so.
        if (value := told[name]) is not None:
            told[name] = f"{value[:10]}T{value[11:]}Z"
    for name in _DOCUMENTS:
        if isinstance(value := told[name], str):
            told[name] = orjson.Fragment(value)
    if (result := told["result"]) is not None:
        told["result"] = outside(orjson.loads(result) if isinstance(result, str) else result)
    return told


def outside(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where its rows are is for nobody outside."""
    return result and {name: value for name, value in result.items() if name != "path"}

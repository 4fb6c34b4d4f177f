"""A page of runs as the bytes of its answer.

A list is what is asked for most, and is hundreds of small values. Postgres writes each run as the document that it is in
the answer; SQLite's values are passed on as it gives them. To make objects of them and text of those again took a third
of the request's CPU. What it says is as `Page[RunTold]` describes it.
"""

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import (
    JSON,
    ColumnElement,
    Row,
    Select,
    String,
    Text,
    case,
    cast,
    func,
    literal_column,
    select,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import JSONB

from boathouse.control.database.base import Moment, table_of
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold

_TOLD = tuple(table_of(Run).c[name] for name in RunTold.model_fields)


_NAMES = tuple(column.name for column in _TOLD)
_MOMENTS, _DOCUMENTS = (
    tuple(column.name for column in _TOLD if isinstance(column.type, kind) and column.name != "result")
    for kind in (Moment, JSON)
)
_RUN = "run"


def columns(dialect: str) -> Sequence[ColumnElement[Any]]:
    """For a statement that `documents` takes, or whose rows `page` takes. Of SQLite documents and moments are text."""
    if dialect == "postgresql":
        return [_without_path(column) if column.name == "result" else column for column in _TOLD]
    return [type_coerce(column, String()).label(column.name) for column in _TOLD]


def documents(runs: Select[Any]) -> Select[Any, Any]:
    """On Postgres: of each run its id and the whole document. Moments are in the connection's zone, which is UTC."""
    each = runs.subquery(_RUN)
    document = cast(func.row_to_json(literal_column(_RUN)), Text)
    return select(each.c.id, document.label("document")).order_by(each.c.id.desc())


def page(found: Sequence[Row[Any]], limit: int) -> bytes:
    """Of rows one more than the limit, if there are more."""
    following = found[limit - 1].id if len(found) > limit else None
    if found and hasattr(found[0], "document"):
        items = ",".join([row.document for row in found[:limit]])
        return f'{{"items":[{items}],"next":{orjson.dumps(following).decode()}}}'.encode()
    return orjson.dumps({"items": [_told(row) for row in found[:limit]], "next": following})


def _told(row: Row[Any]) -> dict[str, Any]:
    # Only what is text has to be changed, so that there is little to do for most of the values.
    told: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    for name in _MOMENTS:
        # In UTC without saying so.
        if (value := told[name]) is not None:
            told[name] = f"{value[:10]}T{value[11:]}Z"
    for name in _DOCUMENTS:
        if (value := told[name]) is not None:
            told[name] = orjson.Fragment(value)
    if (result := told["result"]) is not None:
        told["result"] = outside(orjson.loads(result))
    return told


def _without_path(column: ColumnElement[Any]) -> ColumnElement[Any]:
    document = cast(column, JSONB)
    # No result is kept as null in JSON, from which nothing can be taken away.
    return case((func.jsonb_typeof(document) == "object", document.op("-")("path"))).label("result")


def outside(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where its rows are is for nobody outside."""
    return result and {name: value for name, value in result.items() if name != "path"}

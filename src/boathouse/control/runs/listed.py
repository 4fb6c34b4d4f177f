"""A page of runs as the bytes of its answer.

A list is what is asked for most, and is hundreds of small values. The database writes each run as the document that it is
in the answer: to make objects of them and text of those again took a third of the request's CPU. What it says is as
`Page[RunTold]` describes it.
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
)
from sqlalchemy.dialects.postgresql import JSONB

from boathouse.control.database.base import Moment, table_of
from boathouse.control.runs.models import Run
from boathouse.control.runs.schemas import RunTold

_RUNS = table_of(Run)
_TOLD = tuple(_RUNS.c[name] for name in RunTold.model_fields)
_DOCUMENTS = tuple(column for column in _TOLD if isinstance(column.type, JSON) and column.name != "result")
_RUN = "run"


def columns(dialect: str) -> Sequence[ColumnElement[Any]]:
    """For a statement that `documents` takes."""
    if dialect == "postgresql":
        return [_without_path(column) if column.name == "result" else column for column in _TOLD]
    return [_RUNS.c.id, _written_by_sqlite().label("document")]


def documents(runs: Select[Any, Any], dialect: str) -> Select[Any, Any]:
    """Of each run its id and the whole document. Moments are in UTC, which on Postgres is the connection's zone."""
    if dialect != "postgresql":
        return runs
    each = runs.subquery(_RUN)
    document = cast(func.row_to_json(literal_column(_RUN)), Text)
    return select(each.c.id, document.label("document")).order_by(each.c.id.desc())


def page(found: Sequence[Row[Any]], limit: int) -> bytes:
    """Of rows one more than the limit, if there are more."""
    following = found[limit - 1].id if len(found) > limit else None
    items = ",".join([row.document for row in found[:limit]])
    return f'{{"items":[{items}],"next":{orjson.dumps(following).decode()}}}'.encode()


def _written_by_sqlite() -> ColumnElement[str]:
    """What is a document already is put in as it stands: to have SQLite read it only to write it takes longest."""
    raw = [*_DOCUMENTS, _RUNS.c.result]
    texts = [func.ifnull(column, _literal("null")) for column in _DOCUMENTS]
    texts.append(func.ifnull(func.json_remove(_RUNS.c.result, _literal("$.path")), _literal("null")))
    plain = [column for column in _TOLD if column not in raw]
    others = func.json_object(*(part for column in plain for part in (_literal(column.name), _plain(column))))
    form = ",".join(f'"{column.name}":%s' for column in raw)
    return func.printf(_literal(f"{{{form},%s"), *texts, func.substr(others, 2), type_=String)


def _plain(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A moment is kept in UTC without saying so."""
    moment = func.replace(column, _literal(" "), _literal("T"), type_=String).op("||")(_literal("Z"))
    return moment if isinstance(column.type, Moment) else column


def _literal(text: str) -> ColumnElement[str]:
    return literal_column(f"'{text}'", String)


def _without_path(column: ColumnElement[Any]) -> ColumnElement[Any]:
    document = cast(column, JSONB)
    # No result is kept as null in JSON, from which nothing can be taken away.
    return case((func.jsonb_typeof(document) == "object", document.op("-")("path"))).label("result")


def outside(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Where its rows are is for nobody outside."""
    return result and {name: value for name, value in result.items() if name != "path"}

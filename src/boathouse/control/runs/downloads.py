"""All kept rows of a run as a file, sent as they are read: however many there are, some thousand are in memory."""

import asyncio
import io
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import obstore
import orjson

from boathouse.control.runs.models import Run
from boathouse.control.runs.result_files import open_parquet
from boathouse.control.runs.results import Results, kept, values_of
from boathouse.kit.objects import storage_errors

_ROWS_AT_ONCE = 2_000
_BYTES_AT_ONCE = 1_000_000


class FileForm(StrEnum):
    CSV = "csv"
    PARQUET = "parquet"

    @property
    def media_type(self) -> str:
        return "text/csv; charset=utf-8" if self is FileForm.CSV else "application/vnd.apache.parquet"


@dataclass(frozen=True)
class Download:
    name: str
    parts: Iterator[bytes]
    size: int | None
    """If it is known before all of it was read."""


async def download(results: Results, run: Run, form: FileForm) -> Download:
    # A job's name and an id hold nothing that a header or a file system would take for something else.
    name = f"{run.job or 'query'}-{run.id[-8:]}.{form}"
    path = kept(run)["path"]
    if form is FileForm.CSV:
        return Download(name, await asyncio.to_thread(_csv, results, path), None)
    parts, size = await asyncio.to_thread(_whole, results, path)
    return Download(name, parts, size)


def _whole(results: Results, path: str) -> tuple[Iterator[bytes], int]:
    with storage_errors(f"{results.root}/{path}"):
        found = obstore.get(results.store(), path)
        return (bytes(part) for part in found.stream(min_chunk_size=_BYTES_AT_ONCE)), found.meta["size"]


def _csv(results: Results, path: str) -> Iterator[bytes]:
    """It is opened before the first byte is sent, so that what is not there can still be said."""
    with storage_errors(f"{results.root}/{path}"):
        return _lines(open_parquet(results.store(), path))


def _lines(file: Any) -> Iterator[bytes]:
    yield _text(file.schema_arrow.empty_table(), head=True)
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
        yield _text(batch, head=False)


def _text(rows: Any, *, head: bool) -> bytes:
    """Text stands in quotes and a missing value is nothing at all, so that an empty text is told from it."""
    import pyarrow as pa
    from pyarrow import csv

    written = io.BytesIO()
    columns = [_flat(column) for column in rows.columns]
    # No schema is given: of two columns with the same name both stay.
    csv.write_csv(pa.table(columns, names=rows.schema.names), written, csv.WriteOptions(include_header=head))
    return written.getvalue()


def _flat(column: Any) -> Any:
    """What CSV has no form for is text: lists and structures as JSON, bytes as base64."""
    import pyarrow as pa

    kind = column.type
    if not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_duration(kind)):
        return column
    return pa.array([None if value is None else _word(value) for value in values_of(column)], pa.string())


def _word(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()

"""An INSERT and its data, which is here as a whole before the engine has any of it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from boathouse.stack.embedded_clickhouse.asked import Asked
from boathouse.stack.embedded_clickhouse.engine import Outcome
from boathouse.stack.embedded_clickhouse.errors import cancelled
from boathouse.stack.embedded_clickhouse.sql_text import Insert


def insert_data(asked: Asked, insert: Insert, scratch: Path) -> Outcome:
    """Blocks: call it in a thread."""
    connection = asked.held.connection
    if insert.input_at is not None:
        with tempfile.NamedTemporaryFile(dir=scratch) as file:
            for piece in _pieces(asked, insert):
                file.write(piece)
            file.flush()
            return connection.run(_as_text(insert.reading(file.name)), parameters=asked.question.parameters)[1]
    connection.set({f"param_{name}": value for name, value in asked.question.parameters.items()})
    return connection.insert(_as_text(insert.head), insert.format, _pieces(asked, insert))


def _pieces(asked: Asked, insert: Insert) -> Iterator[bytes]:
    for piece in asked.arrived.body.pieces(insert.data_at):
        if asked.running.killed:
            raise cancelled()
        yield piece


def _as_text(read_as_bytes: str) -> str:
    return read_as_bytes.encode("latin-1").decode(errors="surrogateescape")

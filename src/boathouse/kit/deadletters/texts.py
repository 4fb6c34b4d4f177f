"""What rejected rows said, read from the data files that hold it."""

import base64
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

# Each may be as large as a message of Kafka.
_AT_ONCE = 100
_STORED = pa.schema(
    [
        ("raw", pa.string()),
        ("raw_bytes", pa.binary()),
        ("key", pa.binary()),
        ("kafka_at", pa.timestamp("us", "UTC")),
    ]
)


@dataclass(frozen=True)
class Text:
    """A rejected row as it stood."""

    raw: str | None
    raw_bytes: bytes | None
    """Only where they are not valid UTF-8, and so `raw` is not what stood there."""
    key: bytes | None = None
    """Of an event. Those that were rejected before it was noted have none, and no time."""
    kafka_at: datetime | None = None

    @property
    def whole(self) -> bytes | None:
        """None of an event that has no value, and of a file that is no row."""
        return self.raw_bytes if self.raw is None or self.raw_bytes is not None else self.raw.encode()

    @property
    def size(self) -> int:
        return len(self.whole or b"") + len(self.key or b"")

    def bytes_in_base64(self) -> str | None:
        return None if self.raw_bytes is None else base64.b64encode(self.raw_bytes).decode()


def texts_in(content: bytes, rows: Sequence[int]) -> Iterator[tuple[int, Text]]:
    """Of these rows of a data file, in its order. The others are never held all at once."""
    file: Any = pq.ParquetFile(pa.BufferReader(content))
    names = [name for name in _STORED.names if name in file.schema_arrow.names]
    wanted, first = sorted(rows), 0
    for group in range(file.num_row_groups):
        end = first + file.metadata.row_group(group).num_rows
        if _between(wanted, first, end):
            for batch in file.iter_batches(_AT_ONCE, row_groups=[group], columns=names):
                here = _between(wanted, first, first + batch.num_rows)
                yield from zip(
                    here, _texts(batch.take(pa.array([row - first for row in here], pa.int64()))), strict=True
                )
                first += batch.num_rows
        first = end


def _between(rows: Sequence[int], first: int, end: int) -> Sequence[int]:
    return rows[bisect_left(rows, first) : bisect_left(rows, end)]


def _texts(rows: Any) -> Iterator[Text]:
    # An old file lacks those that came later.
    lacking = dict.fromkeys(_STORED.names)
    typed = {name: rows[name].cast(_STORED.field(name).type) for name in rows.schema.names}
    for row in pa.table(typed).to_pylist():
        yield Text(**{**lacking, **row})

"""Text files as rows of one line each, numbered; a line may be a whole record where quotes hide its newlines."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.pipelines.ingest.batch import FILE, ID, LINE_BITS, RAW, START, Picked, only
from boathouse.pipelines.ingest.encodings import is_not_of
from boathouse.pipelines.ingest.line_fetch import fetch_lines
from boathouse.pipelines.ingest.scan import BYTE_ORDER_MARK, MEBIBYTE, ScannedFile
from boathouse.pipelines.spec import Source

LARGEST_PIECE = 128 * MEBIBYTE
SMALLEST_PIECE = 4 * MEBIBYTE
RECORD_BATCH_ROWS = 10_000
# Leaves room for 512 readings of two million pieces each.
READING_SHIFT = 54
ArrowBatch = Any
"""A `pyarrow.RecordBatch`, which comes without types."""


def read_lines(
    session: SparkSession, files: list[ScannedFile], encoding: str, picked: Picked | None, *, reading: int = 0
) -> DataFrame:
    """The lines of the files, all or those picked; the piece Spark reads at once holds lines of one file only.

    Each reading numbers its lines from zero, so the reading's own number goes into the upper bits of the id.
    """
    frame = None if picked is None else fetch_lines(session, files, picked)
    if frame is None:
        frame = only(_read_all(session, files, reading), picked)
    return frame.withColumn(RAW, _text(F.col(RAW), files, encoding))


def _read_all(session: SparkSession, files: list[ScannedFile], reading: int) -> DataFrame:
    size = piece_size(files, session)
    session.conf.set("spark.sql.files.maxPartitionBytes", str(size))
    session.conf.set("spark.sql.files.openCostInBytes", str(size))
    return session.read.text([scanned.file.for_spark for scanned in files], lineSep="\n").select(
        F.col("value").alias(RAW),
        # Not from `_metadata`, whose columns are joined to every row: these are looked up where somebody asks.
        F.input_file_name().alias(FILE),
        F.input_file_block_start().alias(START),
        _id(reading),
    )


def _id(reading: int) -> Column:
    return (F.monotonically_increasing_id() + F.lit(reading << READING_SHIFT)).alias(ID)


def piece_size(files: list[ScannedFile], session: SparkSession) -> int:
    """Whole mebibytes, and as many equal pieces as keep every core busy to the end."""
    largest = max((scanned.file.size for scanned in files), default=0)
    total = sum(scanned.file.size for scanned in files)
    cores = int(session.conf.get("spark.boathouse.cores", "2") or 2)
    rounds = max(1, -(-total // (cores * LARGEST_PIECE)))
    even = -(-total // (cores * rounds))
    size = min(max(even, SMALLEST_PIECE), max(largest, SMALLEST_PIECE), LARGEST_PIECE)
    return -(-size // MEBIBYTE) * MEBIBYTE


def first_line() -> Column:
    return (F.col(ID).bitwiseAND(F.lit(LINE_BITS)) == 0) & (F.col(START) == 0)


def with_line_numbers(frame: DataFrame, files: list[ScannedFile], session: SparkSession) -> DataFrame:
    """Adds `line`: the lines before the piece, which the scan counted, and the row's place in the piece."""
    size = int(session.conf.get("spark.sql.files.maxPartitionBytes") or MEBIBYTE)
    starts = [
        (scanned.file.url, start, scanned.lines_before(start))
        for scanned in files
        for start in range(0, max(scanned.file.size, 1), size)
    ]
    before = session.createDataFrame(
        pa.table(
            {
                "_url": pa.array([row[0] for row in starts], pa.string()),
                "_start": pa.array([row[1] for row in starts], pa.int64()),
                "_before": pa.array([row[2] for row in starts], pa.int64()),
            }
        )
    )
    place = F.col(ID).bitwiseAND(F.lit(LINE_BITS))
    joined = frame.join(
        F.broadcast(before), (plain_file() == F.col("_url")) & (F.col(START) == F.col("_start")), "left"
    )
    return joined.withColumn("line", F.col("_before") + place + 1).drop("_url", "_start", "_before")


def plain_file() -> Column:
    """The file's name decoded, as reports show it."""
    decoded = F.try_url_decode(F.replace(F.col(FILE), F.lit("+"), F.lit("%2B")))
    local = F.regexp_replace(F.coalesce(decoded, F.col(FILE)), "^file:/+", "file:///")
    return F.regexp_replace(local, "^s3a:", "s3:")


def undecodable(files: list[ScannedFile], encoding: str) -> list[Column]:
    """Which lines hold bytes that the encoding does not have; Spark is not asked where the scan saw that none do."""
    return (
        [] if encoding == "utf-8" and all(scanned.is_utf8 for scanned in files) else [is_not_of(F.col(RAW), encoding)]
    )


def undecodable_complaint(encoding: str) -> Column:
    """Why such a line is rejected, and null for the others; goes on with `when` or `otherwise`."""
    return F.when(is_not_of(F.col(RAW), encoding), F.lit(f"not valid {encoding.upper()}"))


def read_records(session: SparkSession, files: list[ScannedFile], source: Source, *, reading: int) -> DataFrame:
    """Every record of files whose quoted fields may hold newlines, with the number of the line each begins at."""
    frame = (
        session.read.format("binaryFile").load([scanned.file.for_spark for scanned in files]).select("path", "content")
    )
    quote, escape = source.csv.quote.encode(), source.csv.escape.encode()

    def split(batches: Iterable[ArrowBatch]) -> Iterator[ArrowBatch]:
        for batch in batches:
            for path, content in zip(batch["path"].to_pylist(), batch["content"].to_pylist(), strict=True):
                yield from _records(path, content, quote, escape)

    schema = f"{RAW} binary, {FILE} string, {START} bigint"
    split_frame = frame.mapInArrow(split, schema)
    text = F.col(RAW).cast("string") if source.encoding == "utf-8" else F.decode(F.col(RAW), source.encoding)
    return split_frame.select(text.alias(RAW), FILE, START, _id(reading))


def _records(path: str, content: bytes, quote: bytes, escape: bytes) -> Iterator[ArrowBatch]:
    """Cut at the newlines that an even number of quotes stands before."""
    data = np.frombuffer(content, dtype=np.uint8)
    newlines = np.flatnonzero(data == ord("\n"))
    quotes = np.flatnonzero(data == quote[0])
    if escape != quote:
        quotes = quotes[~np.isin(quotes - 1, _escaping(data, escape))]
    ends = newlines[np.searchsorted(quotes, newlines) % 2 == 0]
    starts = np.concatenate(([0], ends + 1))
    stops = np.concatenate((ends, [len(data)]))
    if len(starts) and starts[-1] == len(data):
        starts, stops = starts[:-1], stops[:-1]
    lines = np.searchsorted(newlines, starts)
    for at in range(0, len(starts), RECORD_BATCH_ROWS):
        part = slice(at, at + RECORD_BATCH_ROWS)
        rows = [
            content[a:b].removesuffix(b"\r") for a, b in zip(starts[part].tolist(), stops[part].tolist(), strict=True)
        ]
        if not at:
            rows[0] = rows[0].removeprefix(BYTE_ORDER_MARK)
        columns = [
            pa.array(rows, pa.binary()),
            pa.array([path] * len(rows), pa.string()),
            pa.array(lines[part], pa.int64()),
        ]
        yield pa.RecordBatch.from_arrays(columns, names=[RAW, FILE, START])


def _escaping(data: NDArray[np.uint8], escape: bytes) -> NDArray[np.intp]:
    """Where an escape stands that is not itself escaped: the first, third, … of those in a row."""
    escapes = np.flatnonzero(data == escape[0])
    order = np.arange(len(escapes))
    begins = np.diff(escapes, prepend=-2) != 1
    first = np.maximum.accumulate(np.where(begins, order, 0))
    return escapes[(order - first) % 2 == 0]


def _text(value: Column, files: list[ScannedFile], encoding: str) -> Column:
    """The line decoded, without the marks of other systems; each step only where a file needs it."""
    if encoding != "utf-8":
        value = F.decode(value.cast("binary"), encoding)
    # Byte by byte: Spark's functions on text would make valid what is not, and so hide it from the check.
    if any(scanned.has_carriage_return for scanned in files):
        shorter = F.substring(value.cast("binary"), F.lit(1), F.octet_length(value) - 1).cast("string")
        value = F.when(F.endswith(value, F.lit("\r")), shorter).otherwise(value)
    if any(scanned.has_mark for scanned in files):
        marked = first_line() & F.startswith(value, F.lit("\ufeff"))
        bare = F.substring(value.cast("binary"), F.lit(len(BYTE_ORDER_MARK) + 1), F.octet_length(value)).cast("string")
        value = F.when(marked, bare).otherwise(value)
    return value

"""The rejected rows of a replay, as the lines that their files would have."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.pipelines.ingest.batch import FILE, ID, RAW, START
from boathouse.pipelines.ingest.discovery import SourceFile
from boathouse.pipelines.ingest.given import SCHEMA, GivenLines, as_spark_names
from boathouse.pipelines.ingest.scan import ScannedFile


@dataclass(frozen=True)
class Letter:
    """A rejected row: where it stood, and what stands there now."""

    id: str
    load_id: str
    file: str
    line: int | None
    raw: bytes
    mended: str | None
    """Its text, if somebody changed it."""
    header: str | None = None
    """The first line of its file, where that names the columns."""


def lines_of(session: SparkSession, letters: Sequence[Letter]) -> GivenLines:
    """Numbered in their order: the id of a line is the place of its letter."""
    columns = {
        FILE: pa.array([as_spark_names(letter.file) for letter in letters], pa.string()),
        START: pa.array([letter.line for letter in letters], pa.int64()),
        ID: pa.array(range(len(letters)), pa.int64()),
        RAW: pa.array([letter.raw for letter in letters], pa.binary()),
    }
    frame = session.createDataFrame(pa.table(columns), SCHEMA)
    return GivenLines(frame.withColumn(RAW, F.col(RAW).cast("string")))


def files_of(letters: Sequence[Letter], encoding: str) -> list[ScannedFile]:
    """The files they are from, as a scan would tell of them. Letters from one file have one header."""
    by_file: dict[str, list[Letter]] = {}
    for letter in letters:
        by_file.setdefault(letter.file, []).append(letter)
    return [_scanned(url, inside, encoding) for url, inside in sorted(by_file.items())]


def _scanned(url: str, letters: list[Letter], encoding: str) -> ScannedFile:
    return ScannedFile(
        file=SourceFile(url, sum(len(letter.raw) + 1 for letter in letters), "", datetime.now(UTC)),
        sha256="",
        newlines=(0, len(letters)),
        first_line=(letters[0].header or "").encode(encoding),
        last_bytes=b"\n",
        has_carriage_return=False,
        has_quote=True,
        is_utf8=all(_is_utf8(letter.raw) for letter in letters),
    )


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True

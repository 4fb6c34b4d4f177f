"""A few lines of large files, read where the scan knows them to be instead of by another pass of Spark."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from urllib.parse import unquote

import numpy as np
import obstore
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.objects import storage_errors
from boathouse.pipelines.ingest.batch import FILE, ID, LINE_BITS, PIECE_SHIFT, RAW, START, Picked
from boathouse.pipelines.ingest.discovery import SourceFile, s3_object
from boathouse.pipelines.ingest.scan import MEBIBYTE, ScannedFile

# Beyond, they are too much for one message to Spark, and reading them one by one no longer pays.
MOST_LINES = 200_000
MOST_BYTES = 32 * MEBIBYTE
LINES = f"{FILE} string, {START} bigint, {ID} bigint, {RAW} binary"


def fetch_lines(session: SparkSession, files: list[ScannedFile], picked: Picked) -> DataFrame | None:
    """The picked lines of these files as Spark would have read them, or None if they are too many."""
    by_url = {scanned.file.url: scanned for scanned in files}
    places: dict[str, dict[int, int]] = defaultdict(dict)
    for row in picked.ids:
        name, start = picked.pieces[row >> PIECE_SHIFT]
        if (scanned := by_url.get(_plain(name))) is not None:
            places[name][scanned.lines_before(start) + (row & LINE_BITS)] = row
    if sum(map(len, places.values())) > MOST_LINES:
        return None
    rows: list[tuple[str, int, int, bytes]] = []
    room = MOST_BYTES
    for name, ids in places.items():
        for number, line in lines_at(by_url[_plain(name)], sorted(ids), picked.store):
            room -= len(line)
            if room < 0:
                return None
            rows.append((name, picked.pieces[ids[number] >> PIECE_SHIFT][1], ids[number], line))
    types = (pa.string(), pa.int64(), pa.int64(), pa.binary())
    columns = zip(*rows, strict=True) if rows else ([],) * len(types)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    # Told the types as well: without a row Spark would not look at the table's own.
    frame = session.createDataFrame(pa.table(arrays, names=[FILE, START, ID, RAW]), LINES)
    return frame.withColumn(RAW, F.col(RAW).cast("string"))


def lines_at(scanned: ScannedFile, wanted: Iterable[int], store: ObjectStoreAccess) -> Iterator[tuple[int, bytes]]:
    """The lines with these numbers, which count from zero and are in order."""
    for mebibyte, numbers in groupby(wanted, lambda number: max(bisect_left(scanned.newlines, number) - 1, 0)):
        window = _Window(scanned, mebibyte, store)
        for number in numbers:
            yield number, window.line(number)


class _Window:
    """A mebibyte of a file, and as much after it as its last line needs."""

    def __init__(self, scanned: ScannedFile, mebibyte: int, store: ObjectStoreAccess) -> None:
        self._file = scanned.file
        self._store = store
        self._next = (mebibyte + 1) * MEBIBYTE
        self._first = scanned.newlines[mebibyte]
        self._content = _read(self._file, mebibyte * MEBIBYTE, store)
        self._newlines = np.flatnonzero(np.frombuffer(self._content, np.uint8) == ord("\n"))

    def line(self, number: int) -> bytes:
        place = number - self._first
        begin = int(self._newlines[place - 1]) + 1 if place else 0
        if place < len(self._newlines):
            return self._content[begin : int(self._newlines[place])]
        return self._to_its_end(begin)

    def _to_its_end(self, begin: int) -> bytes:
        """The line that this mebibyte does not end."""
        parts = [self._content[begin:]]
        while self._next < self._file.size:
            before, newline, _ = _read(self._file, self._next, self._store).partition(b"\n")
            parts.append(before)
            if newline:
                break
            self._next += MEBIBYTE
        return b"".join(parts)


def _read(file: SourceFile, start: int, store: ObjectStoreAccess) -> bytes:
    length = max(0, min(MEBIBYTE, file.size - start))
    with storage_errors(file.url):
        if not file.is_local:
            objects, key = s3_object(file.url, store)
            return bytes(obstore.get_range(objects, key, start=start, length=length)) if length else b""
        with file.path.open("rb") as stream:
            stream.seek(start)
            return stream.read(length)


def _plain(name: str) -> str:
    """A file as Spark names it, as we do."""
    text = unquote(name)
    if text.startswith("file:"):
        return "file:///" + text.removeprefix("file:").lstrip("/")
    return "s3:" + text.removeprefix("s3a:") if text.startswith("s3a:") else text

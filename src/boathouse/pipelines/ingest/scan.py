"""One look through a file's bytes: its fingerprint, its lines, and what a reader must be careful about.

The lines are counted at every mebibyte, so that a row's line number follows from where Spark began to read.
"""

import codecs
import csv
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.errors import InvalidInput
from boathouse.kit.objects import storage_errors
from boathouse.pipelines.ingest.discovery import SourceFile, s3_object
from boathouse.pipelines.spec import CsvOptions

MEBIBYTE = 1 << 20
BLOCK = 8 * MEBIBYTE
BYTE_ORDER_MARK = codecs.BOM_UTF8
PARQUET_MARK = b"PAR1"
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Reading is a matter of waiting as much as of computing, and Spark is idle meanwhile.
READERS = 4


@dataclass(frozen=True)
class ScannedFile:
    file: SourceFile
    sha256: str
    newlines: tuple[int, ...]
    """How many newlines stand before each mebibyte of the file; the last entry is all of them."""
    first_line: bytes
    last_bytes: bytes
    has_carriage_return: bool
    has_quote: bool
    is_utf8: bool

    @property
    def ends_with_newline(self) -> bool:
        return self.last_bytes.endswith(b"\n")

    @property
    def is_parquet(self) -> bool:
        return self.first_line.startswith(PARQUET_MARK) and self.last_bytes == PARQUET_MARK

    @property
    def lines(self) -> int:
        return self.newlines[-1] + (0 if self.ends_with_newline or not self.file.size else 1)

    def lines_before(self, start: int) -> int:
        """The lines before the first of the piece that Spark begins at this byte, the start of a mebibyte.

        Spark gives the line that a piece begins in, or exactly at, to the piece before.
        """
        return self.newlines[start // MEBIBYTE] + 1 if start else 0

    @property
    def has_mark(self) -> bool:
        return self.first_line.startswith(BYTE_ORDER_MARK)


def scan_all(files: list[SourceFile], access: ObjectStoreAccess, *, quote: str = '"') -> list[ScannedFile]:
    with ThreadPoolExecutor(READERS) as pool:
        return list(pool.map(partial(scan, access=access, quote=quote), files))


def scan(file: SourceFile, access: ObjectStoreAccess, *, quote: str = '"') -> ScannedFile:
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    sought = quote.encode()
    newlines, first, last = [0], b"", b""
    has_return, has_quote, is_utf8 = False, False, True
    for block in _summed(_blocks(file, access), digest):
        first = first or block[:MEBIBYTE]
        for start in range(0, len(block), MEBIBYTE):
            newlines.append(newlines[-1] + block.count(b"\n", start, start + MEBIBYTE))
        has_return = has_return or b"\r" in block
        has_quote = has_quote or sought in block
        is_utf8 = is_utf8 and _decodes(decoder, block)
        last = (last + block[-len(PARQUET_MARK) :])[-len(PARQUET_MARK) :]
    is_utf8 = is_utf8 and _decodes(decoder, b"", final=True)
    return ScannedFile(
        file=file,
        sha256=digest.hexdigest(),
        newlines=tuple(newlines),
        first_line=first.partition(b"\n")[0],
        last_bytes=last,
        has_carriage_return=has_return,
        has_quote=has_quote,
        is_utf8=is_utf8,
    )


def refuse_unreadable_text(scanned: ScannedFile) -> None:
    """Say at once what would otherwise turn every row into a reject."""
    if scanned.first_line.startswith(WIDE_MARKS):
        raise InvalidInput(
            f"{scanned.file.url} is UTF-16, which cannot be cut into lines.",
            hint="Convert it: iconv -f UTF-16 -t UTF-8 FILE.",
        )
    if scanned.has_carriage_return and not scanned.newlines[-1]:
        raise InvalidInput(
            f"{scanned.file.url} ends its lines with a carriage return alone.",
            hint="Convert it: tr '\\r' '\\n' < FILE.",
        )


def header(scanned: ScannedFile, options: CsvOptions, encoding: str) -> list[str]:
    """The column names in the first line of a CSV file."""
    if len(scanned.first_line) >= MEBIBYTE:
        raise InvalidInput(
            f"The first line of {scanned.file.url} is over 1 MiB long: that is not a header.",
            hint="Check the delimiter and line ends.",
        )
    try:
        text = scanned.first_line.removeprefix(BYTE_ORDER_MARK).decode(encoding).rstrip("\r")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"The header of {scanned.file.url} is not {encoding}: {error.reason} at byte {error.start}.",
            hint="Set source.encoding in the spec.",
        ) from error
    doubled = options.escape == options.quote
    fields = csv.reader(
        [text],
        delimiter=options.delimiter,
        quotechar=options.quote,
        doublequote=doubled,
        escapechar=None if doubled else options.escape,
    )
    try:
        return [name.strip() for name in next(fields, [])]
    except csv.Error as error:  # such as a name of over 128 KiB, or a carriage return in the middle
        raise InvalidInput(
            f"The first line of {scanned.file.url} is not a header: {error}.",
            hint="Check the delimiter and the line ends.",
        ) from error


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    if chunk.isascii() and not decoder.getstate()[0]:
        return True
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _summed(blocks: Iterator[bytes], digest: "hashlib._Hash") -> Iterator[bytes]:
    """The blocks, each summed up beside the reading of the next: the sum takes as long as all the rest together."""
    with ThreadPoolExecutor(1) as beside:
        block = next(blocks, b"")
        while block:
            summed = beside.submit(digest.update, block)
            following = next(blocks, b"")
            yield block
            summed.result()
            block = following


def _blocks(file: SourceFile, access: ObjectStoreAccess) -> Iterator[bytes]:
    """The file in pieces of exactly eight mebibytes, but for the last."""
    if file.is_local:
        with storage_errors(file.url), file.path.open("rb") as stream:
            while block := stream.read(BLOCK):
                yield block
        return
    store, key = s3_object(file.url, access)
    with storage_errors(file.url):
        waiting = b""
        for piece in obstore.get(store, key).stream(min_chunk_size=BLOCK):
            waiting += bytes(piece)
            while len(waiting) >= BLOCK:
                yield waiting[:BLOCK]
                waiting = waiting[BLOCK:]
        if waiting:
            yield waiting

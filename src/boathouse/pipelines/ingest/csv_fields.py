"""A CSV record as fields of text, and those as values.

Most records hold no quote: those are cut at the delimiter, which takes half the time of Spark's parser. Only the others
go through the parser. Either way a field is text first and then a value by SQL's own cast, so both are judged alike.
"""

import re
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.batch import COMPLAINT, FILE, ID, MALFORMED, RAW, START, any_of
from boathouse.pipelines.ingest.lines import undecodable, undecodable_complaint
from boathouse.pipelines.ingest.scan import ScannedFile
from boathouse.pipelines.ingest.values import TEXT, misread, misreading, value_of
from boathouse.pipelines.spec import CsvOptions, Source
from boathouse.pipelines.types import ColumnType, quoted

CORRUPT = "_bh_corrupt"
RAGGED = "_bh_ragged"
LOST = "_bh_lost"
QUOTED = "_bh_quoted"
CUT = "_bh_cut"
PARSED = "_bh_parsed"
Layout = tuple[str, ...]
"""The columns of a file, in its order."""


@dataclass(frozen=True)
class CsvFields:
    """How the records of files with one header become rows."""

    layout: Layout
    columns: dict[str, ColumnType]
    source: Source
    files: list[ScannedFile]

    def parse(self, records: DataFrame) -> DataFrame:
        # A step each: what one step computes, the next refers to, so that Spark computes it once.
        places = (RAW, FILE, START, ID)
        looked = records.select(*places, self._is_quoted().alias(QUOTED))
        cut = looked.select(*places, QUOTED, *self._cut())
        wrong_so_far = (self._ragged().alias(RAGGED), self._lost_lines().alias(LOST))
        texts = cut.select(*places, QUOTED, *wrong_so_far, *self._texts())
        known = (*places, QUOTED, RAGGED, LOST, *(quoted(_text(name)) for name in self.columns))
        values = texts.select(*known, *self._values())
        own = [F.col(quoted(name)) for name in self.columns]
        wrong = any_of(self._wrong())
        return values.select(*own, *places, wrong.alias(MALFORMED), self._complaint().alias(COMPLAINT))

    @property
    def _has_quote(self) -> bool:
        return any(scanned.has_quote for scanned in self.files)

    def _is_quoted(self) -> Column:
        return F.contains(F.col(RAW), F.lit(self.source.csv.quote)) if self._has_quote else F.lit(False)

    def _cut(self) -> list[Column]:
        options = self.source.csv
        at = F.split(F.col(RAW), _pattern(options.delimiter))
        if not self._has_quote:
            return [at.alias(CUT)]
        ddl = ", ".join(f"{quoted(name)} string" for name in self.layout)
        # The parser takes a record at a time: its own buffer is a million characters long, and not cheap to look after.
        chosen = {**parser_options(options), "columnNameOfCorruptRecord": CORRUPT, "inputBufferSize": "1024"}
        parsed = F.from_csv(F.col(RAW), f"{ddl}, {CORRUPT} string", chosen)
        return [F.when(~F.col(QUOTED), at).alias(CUT), F.when(F.col(QUOTED), parsed).alias(PARSED)]

    def _ragged(self) -> Column:
        miscounted = F.size(CUT) != len(self.layout)
        if not self._has_quote:
            return miscounted
        return F.when(~F.col(QUOTED), miscounted).otherwise(F.col(f"{PARSED}.{CORRUPT}").isNotNull())

    def _texts(self) -> list[Column]:
        return [self._field(name).alias(_text(name)) for name in self.columns]

    def _field(self, name: str) -> Column:
        if name not in self.layout:
            return F.lit(None).cast("string")
        # The parser takes an empty field for null whatever else means null.
        field = F.nullif(F.get(CUT, F.lit(self.layout.index(name))), F.lit(""))
        if self.source.csv.null:
            field = F.nullif(field, F.lit(self.source.csv.null))
        if not self._has_quote:
            return field
        return F.when(~F.col(QUOTED), field).otherwise(F.col(f"{PARSED}.{quoted(name)}"))

    def _values(self) -> list[Column]:
        options = self.source.csv
        formats = {"date_format": options.date_format, "timestamp_format": options.timestamp_format}
        return [value_of(_field(name), kind, **formats).alias(name) for name, kind in self.columns.items()]

    def _wrong(self) -> list[Column]:
        wrong = [F.col(RAGGED)]
        wrong += [self._misread(name) for name, kind in self.columns.items() if kind != TEXT]
        if self._has_quote:
            wrong.append(_open_quote(self.source.csv))
        if self.source.csv.multiline:
            wrong.append(F.col(LOST))
        return wrong + undecodable(self.files, self.source.encoding)

    def _misread(self, name: str) -> Column:
        return misread(_field(name), F.col(quoted(name)), self.columns[name])

    def _lost_lines(self) -> Column:
        """Whether the record has more lines than its fields: the parser stops at the first line's end outside quotes."""
        if not (self.source.csv.multiline and self._has_quote):
            return F.lit(False)
        counts = (F.coalesce(_newlines(F.col(f"{PARSED}.{quoted(name)}")), F.lit(0)) for name in self.layout)
        return _newlines(F.col(RAW)) != reduce(Column.__add__, counts, F.lit(0))

    def _complaint(self) -> Column:
        last = _field(list(self.columns)[-1])
        count = F.when(last.isNull(), "too few fields").otherwise("too many fields")
        bad = [F.when(self._misread(name), misreading(name, kind, _field(name))) for name, kind in self.columns.items()]
        return (
            undecodable_complaint(self.source.encoding)
            .when(
                _open_quote(self.source.csv),
                F.lit("a quote is opened and not closed (csv.multiline reads fields that run over lines)"),
            )
            .when(
                F.col(LOST),
                F.lit("a quote stands inside a field, so that the next lines were taken for a part of it"),
            )
            .when(F.col(RAGGED), F.concat(count, F.lit(f" (expected {len(self.layout)})")))
            .otherwise(F.concat_ws("; ", *bad))
        )


def parser_options(options: CsvOptions) -> dict[str, str]:
    chosen = {
        "mode": "PERMISSIVE",
        "sep": options.delimiter,
        "quote": options.quote,
        "escape": options.escape,
        "nullValue": options.null,
        "dateFormat": options.date_format,
        "timestampFormat": options.timestamp_format,
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _open_quote(options: CsvOptions) -> Column:
    """A quote that is opened and not closed: the field goes on in the next line, so this one is not whole."""
    quote = F.lit(options.quote)
    bare = F.col(RAW)
    if options.escape != options.quote:
        # An escape may itself be escaped, so those go first: in `\\"` the quote closes the field.
        for escaped in (options.escape, options.quote):
            bare = F.replace(bare, F.lit(options.escape + escaped), F.lit(""))
    # In bytes, which Spark knows, not in characters, which it would have to count; a quote is one byte.
    count = F.octet_length(bare) - F.octet_length(F.replace(bare, quote, F.lit("")))
    odd = F.col(QUOTED) & (count % 2 == 1)
    if options.multiline:
        return odd
    # A quote inside a field that does not begin with one, as in 27" wide, is a character like others.
    return odd & (F.startswith(F.col(RAW), quote) | F.contains(F.col(RAW), F.lit(options.delimiter + options.quote)))


def _text(name: str) -> str:
    """The column that holds the field as text."""
    return f"_bh_text_{name}"


def _field(name: str) -> Column:
    return F.col(quoted(_text(name)))


def _pattern(delimiter: str) -> str:
    """The delimiter as a regular expression, escaped in the way for which Java does without one."""
    return re.sub(r"([^\w\s])", r"\\\1", delimiter)


def _newlines(text: Column) -> Column:
    return F.octet_length(text) - F.octet_length(F.replace(text, F.lit("\n"), F.lit("")))

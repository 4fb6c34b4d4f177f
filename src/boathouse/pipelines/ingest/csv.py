"""CSV: files grouped by their header, each line parsed by Spark's own parser, what does not fit marked."""

from collections import defaultdict
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.batch import FILE, ID, MALFORMED, RAW, ROW, START, Batch, Keep, any_of, columns_of
from boathouse.pipelines.ingest.lines import (
    allow_encoding,
    first_line,
    read_lines,
    read_records,
    undecodable,
    undecodable_complaint,
    with_line_numbers,
)
from boathouse.pipelines.ingest.scan import ScannedFile, header, refuse_unreadable_text
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, Primitive, quoted, spark_type, widens

CORRUPT = "_bh_corrupt"
STRINGS = "_bh_strings"
TEXT = Primitive("string")
# Leaves room for 512 readings of two million pieces each.
READING_SHIFT = 54
Layout = tuple[str, ...]
"""The columns of a file, in its order."""


class CsvFormat:
    def __init__(self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile]) -> None:
        self._session = session
        self._spec = spec
        self._files = files
        self._options = spec.source.csv
        allow_encoding(session, spec.source.encoding)
        for scanned in files:
            refuse_unreadable_text(scanned)
        self._spelling = {name.lower(): name for name in spec.columns or ()}
        self._layouts = self._group()

    def batch(self) -> Batch:
        columns = self._spec.columns or self._infer()
        for layout, files in self._layouts.items():
            self._check_layout(layout, columns, files[0])
        return Batch(
            rows=lambda keep: self._parse_all(columns, keep),
            columns=columns,
            complaint=lambda: self._complaint(columns),
            line=self._line,
            most_rows=sum(scanned.lines for scanned in self._files),
        )

    def _parse_all(self, columns: dict[str, ColumnType], keep: Keep) -> DataFrame:
        frames: list[DataFrame] = []
        for number, (layout, files) in enumerate(self._layouts.items()):
            # Each reading numbers its rows from zero, so the reading's own number goes into the id's upper bits.
            records = self._records(files).withColumn(ID, F.col(ID) + F.lit(number << READING_SHIFT))
            frames.append(self._parse(keep(records), layout, files, columns))
        return reduce(DataFrame.unionByName, frames)

    def _group(self) -> dict[Layout, list[ScannedFile]]:
        groups: dict[Layout, list[ScannedFile]] = defaultdict(list)
        for scanned in self._files:
            groups[self._layout(scanned)].append(scanned)
        # An empty file has no header; it has no rows either, so any layout will do.
        empty = groups.pop((), [])
        if not groups:
            groups[tuple(self._spec.columns or ())] = []
        next(iter(groups.values())).extend(empty)
        return groups

    def _layout(self, scanned: ScannedFile) -> Layout:
        if not scanned.file.size:
            return ()
        if not self._options.header:
            return tuple(self._spec.columns or ())
        names = header(scanned, self._options, self._spec.source.encoding)
        doubled = sorted({name for name in names if [n.lower() for n in names].count(name.lower()) > 1})
        if doubled or "" in names or not names:
            what = (
                f"names {doubled[0]!r} twice" if doubled else "leaves a column without a name" if names else "is blank"
            )
            raise InvalidInput(
                f"The header of {scanned.file.url} {what}.", hint="Every column needs a name of its own."
            )
        # A name is spelt as in the schema, or as in the first file that has it.
        return tuple(self._spelling.setdefault(name.lower(), name) for name in names)

    def _check_layout(self, layout: Layout, columns: dict[str, ColumnType], sample: ScannedFile) -> None:
        if not layout:
            raise InvalidInput(
                "The files are empty, so their columns cannot be inferred.", hint="Give the spec a schema."
            )
        source = self._spec.source
        extra = [name for name in layout if name not in columns]
        missing = [name for name in columns if name not in layout]
        if extra and source.extra_columns == "refuse":
            raise InvalidInput(
                f"{sample.file.url} has columns that the schema does not: {', '.join(extra)}.",
                hint="Add them to schema, or set source.extra_columns: ignore.",
            )
        if missing and source.missing_columns == "refuse" and sample.file.size:
            raise InvalidInput(
                f"{sample.file.url} lacks columns of the schema: {', '.join(missing)}. Its columns are {', '.join(layout)}.",
                hint="Mend the file or the schema, or set source.missing_columns: fill.",
            )

    def _records(self, files: list[ScannedFile]) -> DataFrame:
        source = self._spec.source
        if self._options.multiline:
            records = read_records(self._session, files, source)
            is_header = F.col(START) == 0
        else:
            records = read_lines(self._session, files, source.encoding)
            is_header = first_line()
        if self._options.header:
            records = records.where(~is_header)
        return records.where(F.col(RAW) != "")

    def _parse(
        self, records: DataFrame, layout: Layout, files: list[ScannedFile], columns: dict[str, ColumnType]
    ) -> DataFrame:
        kinds = {name: columns.get(name, TEXT) for name in layout}
        strings = self._from_csv(dict.fromkeys(layout, TEXT))
        rows = records.withColumn(ROW, self._from_csv(kinds)).withColumn(STRINGS, strings)
        wrong = [F.col(f"{ROW}.{CORRUPT}").isNotNull()]
        if any(scanned.has_quote for scanned in files):
            wrong.append(self._open_quote())
        if self._options.multiline:
            wrong.append(_lost_lines(layout))
        wrong += undecodable(files, self._spec.source.encoding)
        own = [
            F.col(f"{ROW}.{quoted(name)}").alias(name)
            if name in layout
            else F.lit(None).cast(spark_type(kind)).alias(name)
            for name, kind in columns.items()
        ]
        text = [F.col(f"{STRINGS}.{quoted(name)}") if name in layout else F.lit(None) for name in columns]
        renamed = F.struct(
            *(value.alias(name) for name, value in zip(columns, text, strict=True)), F.col(f"{STRINGS}.{CORRUPT}")
        )
        return rows.select(*own, RAW, FILE, START, ID, any_of(wrong).alias(MALFORMED), renamed.alias(STRINGS))

    def _from_csv(self, kinds: dict[str, ColumnType]) -> Column:
        ddl = ", ".join(f"{quoted(name)} {spark_type(kind)}" for name, kind in kinds.items())
        return F.from_csv(F.col(RAW), f"{ddl}, {CORRUPT} string", self._spark_options())

    def _spark_options(self) -> dict[str, str]:
        options = self._options
        chosen = {
            "mode": "PERMISSIVE",
            "columnNameOfCorruptRecord": CORRUPT,
            "sep": options.delimiter,
            "quote": options.quote,
            "escape": options.escape,
            "nullValue": options.null,
            "dateFormat": options.date_format,
            "timestampFormat": options.timestamp_format,
        }
        return {name: value for name, value in chosen.items() if value is not None}

    def _open_quote(self) -> Column:
        """A quote that is opened and not closed: the field goes on in the next line, so this one is not whole."""
        quote = F.lit(self._options.quote)
        bare = F.col(RAW)
        if self._options.escape != self._options.quote:
            # An escape may itself be escaped, so those go first: in `\\"` the quote closes the field.
            for escaped in (self._options.escape, self._options.quote):
                bare = F.replace(bare, F.lit(self._options.escape + escaped), F.lit(""))
        # In bytes, which Spark knows, not in characters, which it would have to count; a quote is one byte.
        count = F.octet_length(bare) - F.octet_length(F.replace(bare, quote, F.lit("")))
        return F.contains(F.col(RAW), quote) & (count % 2 == 1)

    def _complaint(self, columns: dict[str, ColumnType]) -> Column:
        last = F.col(f"{STRINGS}.{quoted(list(columns)[-1])}")
        ragged = F.col(f"{STRINGS}.{CORRUPT}").isNotNull()
        count = F.when(last.isNull(), "too few fields").otherwise("too many fields")
        bad = [
            F.when(
                F.col(f"{STRINGS}.{quoted(name)}").isNotNull() & F.col(quoted(name)).isNull(),
                F.concat(
                    F.lit(f"{name} is not {spark_type(kind)}: "), F.substring(F.col(f"{STRINGS}.{quoted(name)}"), 1, 60)
                ),
            )
            for name, kind in columns.items()
        ]
        return (
            undecodable_complaint(self._spec.source.encoding)
            .when(
                self._open_quote(),
                F.lit("a quote is opened and not closed (csv.multiline reads fields that run over lines)"),
            )
            .when(
                F.lit(self._options.multiline) & _lost_lines(tuple(columns)),
                F.lit("a quote stands inside a field, so that the next lines were taken for a part of it"),
            )
            .when(ragged, F.concat(count, F.lit(f" (expected {len(columns)})")))
            .otherwise(F.concat_ws("; ", *bad))
        )

    def _line(self, frame: DataFrame) -> DataFrame:
        if self._options.multiline:
            return frame.withColumn("line", F.col(START) + 1)
        return with_line_numbers(frame, self._files, self._session)

    def _infer(self) -> dict[str, ColumnType]:
        columns: dict[str, ColumnType] = {}
        for layout, files in self._layouts.items():
            for name, kind in self._infer_group(layout, files).items():
                known = columns.get(name, kind)
                columns[name] = known if known == kind or widens(kind, known) else kind if widens(known, kind) else TEXT
        return columns

    def _infer_group(self, layout: Layout, files: list[ScannedFile]) -> dict[str, ColumnType]:
        options = {**self._spark_options(), "encoding": self._spec.source.encoding, "mode": "PERMISSIVE"}
        del options["columnNameOfCorruptRecord"]
        paths = [scanned.file.for_spark for scanned in files if scanned.file.size]
        if not paths:
            return {}
        frame = self._session.read.csv(
            paths, header=True, inferSchema=True, multiLine=self._options.multiline, enforceSchema=True, **options
        )
        return dict(zip(layout, columns_of(frame.schema).values(), strict=True))


def _lost_lines(layout: Layout) -> Column:
    """Whether the record has more lines than its fields: the parser stops at the first line's end outside quotes."""
    fields = [F.col(f"{STRINGS}.{quoted(name)}") for name in layout]
    within = reduce(Column.__add__, (F.coalesce(_newlines(field), F.lit(0)) for field in fields), F.lit(0))
    return _newlines(F.col(RAW)) != within


def _newlines(text: Column) -> Column:
    return F.octet_length(text) - F.octet_length(F.replace(text, F.lit("\n"), F.lit("")))

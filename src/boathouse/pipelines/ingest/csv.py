"""CSV: files grouped by their header, their columns found or inferred."""

from collections import defaultdict
from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.batch import RAW, START, Batch, Picked, columns_of, only
from boathouse.pipelines.ingest.csv_fields import CsvFields, Layout, parser_options
from boathouse.pipelines.ingest.encodings import allow_encoding
from boathouse.pipelines.ingest.given import GivenLines
from boathouse.pipelines.ingest.lines import (
    first_line,
    read_lines,
    read_records,
    with_line_numbers,
)
from boathouse.pipelines.ingest.scan import ScannedFile, header, refuse_unreadable_text
from boathouse.pipelines.ingest.values import TEXT
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, widens


class CsvFormat:
    def __init__(
        self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile], given: GivenLines | None = None
    ) -> None:
        self._given = given
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
            rows=lambda picked: self._parse_all(columns, picked),
            columns=columns,
            line=self._line,
            most_rows=sum(scanned.lines for scanned in self._files),
        )

    def _parse_all(self, columns: dict[str, ColumnType], picked: Picked | None) -> DataFrame:
        frames = [
            self._fields(layout, files, columns).parse(self._records(files, picked, reading))
            for reading, (layout, files) in enumerate(self._layouts.items())
        ]
        return reduce(DataFrame.unionByName, frames)

    def _fields(self, layout: Layout, files: list[ScannedFile], columns: dict[str, ColumnType]) -> CsvFields:
        return CsvFields(layout, columns, self._spec.source, files)

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

    def _records(self, files: list[ScannedFile], picked: Picked | None, reading: int) -> DataFrame:
        source = self._spec.source
        if self._given is not None:
            return self._given.of(files)
        if self._options.multiline:
            records = only(read_records(self._session, files, source, reading=reading), picked)
            is_header = F.col(START) == 0
        else:
            records = read_lines(self._session, files, source.encoding, picked, reading=reading)
            is_header = first_line()
        if self._options.header:
            records = records.where(~is_header)
        return records.where(F.col(RAW) != "")

    def _line(self, frame: DataFrame) -> DataFrame:
        if self._given is not None:
            return self._given.numbered(frame)
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
        options = {**parser_options(self._options), "encoding": self._spec.source.encoding}
        paths = [scanned.file.for_spark for scanned in files if scanned.file.size]
        if not paths:
            return {}
        frame = self._session.read.csv(
            paths, header=True, inferSchema=True, multiLine=self._options.multiline, enforceSchema=True, **options
        )
        return dict(zip(layout, columns_of(frame.schema).values(), strict=True))

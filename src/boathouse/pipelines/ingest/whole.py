"""Formats whose rows need no parsing: Parquet, plain text, and binary files as one row each."""

from functools import reduce

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it
from pyspark.sql.connect.session import SparkSession

from boathouse.kit.errors import InvalidInput
from boathouse.pipelines.ingest.batch import (
    COMPLAINT,
    FILE,
    ID,
    MALFORMED,
    RAW,
    START,
    Batch,
    Picked,
    any_of,
    columns_of,
    only,
)
from boathouse.pipelines.ingest.encodings import allow_encoding
from boathouse.pipelines.ingest.given import GivenLines
from boathouse.pipelines.ingest.lines import (
    plain_file,
    read_lines,
    undecodable,
    undecodable_complaint,
    with_line_numbers,
)
from boathouse.pipelines.ingest.scan import ScannedFile, refuse_unreadable_text
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, Primitive, fits, is_exact, is_number, quoted, spark_type

SOURCE = "_bh_source"


class ParquetFormat:
    def __init__(self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile]) -> None:
        self._spec = spec
        self._files = files
        self._session = session
        for scanned in files:
            if not scanned.is_parquet:
                raise InvalidInput(
                    f"{scanned.file.url} is not a whole Parquet file.",
                    hint="Check source.format, or write the file again.",
                )
        self._frame = self._read()
        self._found = columns_of(self._frame.schema)

    def batch(self) -> Batch:
        columns = self._spec.columns or self._found
        self._check(columns)
        return Batch(
            rows=lambda picked: self._cast(columns, picked),
            columns=columns,
            line=lambda frame: frame.withColumn("line", F.col(START) + 1),
            most_rows=self._frame.count(),  # from the files' footers
        )

    def _read(self) -> DataFrame:
        paths = [scanned.file.for_spark for scanned in self._files]
        try:
            frame = self._session.read.parquet(*paths, mergeSchema=True)
            frame.schema  # noqa: B018 - asks Spark, so that what cannot be read is said here
        except PySparkException as error:
            message = str(error).splitlines()[0]
            raise InvalidInput(
                f"These are not Parquet files of one shape: {message}", hint="Check source.format."
            ) from error
        return frame

    def _check(self, columns: dict[str, ColumnType]) -> None:
        source = self._spec.source
        extra = [name for name in self._found if name not in columns]
        missing = [name for name in columns if name not in self._found]
        if extra and source.extra_columns == "refuse":
            raise InvalidInput(
                f"The files have columns that the schema does not: {', '.join(extra)}.",
                hint="Add them to schema, or set source.extra_columns: ignore.",
            )
        if missing and source.missing_columns == "refuse":
            raise InvalidInput(
                f"The files lack columns of the schema: {', '.join(missing)}.",
                hint="Mend the schema, or set source.missing_columns: fill.",
            )

    def _cast(self, columns: dict[str, ColumnType], picked: Picked | None) -> DataFrame:
        whole = F.struct(*(F.col(quoted(name)) for name in self._found))
        rows = self._frame.select(
            whole.alias(SOURCE),
            F.col("_metadata.file_path").alias(FILE),
            F.col("_metadata.row_index").alias(START),
            F.monotonically_increasing_id().alias(ID),
        )
        own = [self._column(name, kind).alias(name) for name, kind in columns.items()]
        wrong = [self._lost(name, kind) for name, kind in columns.items() if self._may_lose(name, kind)]
        malformed = any_of([F.lit(False), *wrong]).alias(MALFORMED)
        complaint = self._complaint(columns).alias(COMPLAINT)
        return only(rows, picked).select(*own, F.to_json(SOURCE).alias(RAW), FILE, START, ID, malformed, complaint)

    def _column(self, name: str, kind: ColumnType) -> Column:
        if name not in self._found:
            return F.lit(None).cast(spark_type(kind))
        value = F.col(f"{SOURCE}.{quoted(name)}")
        return value if self._found[name] == kind else value.try_cast(spark_type(kind))

    def _may_lose(self, name: str, kind: ColumnType) -> bool:
        return name in self._found and not fits(self._found[name], kind)

    def _lost(self, name: str, kind: ColumnType) -> Column:
        value, cast = F.col(f"{SOURCE}.{quoted(name)}"), self._column(name, kind)
        lost = value.isNotNull() & cast.isNull()
        if is_number(self._found[name]) and is_exact(kind):  # a cast to fewer digits rounds without a word
            lost = lost | F.coalesce(cast.cast(spark_type(self._found[name])) != value, F.lit(False))
        return lost

    def _complaint(self, columns: dict[str, ColumnType]) -> Column:
        bad = [
            F.when(
                self._lost(name, kind),
                F.concat(
                    F.lit(f"{name} is not {spark_type(kind)}: "),
                    F.substring(F.col(f"{SOURCE}.{quoted(name)}").cast("string"), 1, 60),
                ),
            )
            for name, kind in columns.items()
            if self._may_lose(name, kind)
        ]
        return F.concat_ws("; ", *bad)


class TextFormat:
    """A row a line: the line, and the file it is from."""

    def __init__(
        self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile], given: GivenLines | None = None
    ) -> None:
        self._given = given
        self._session = session
        self._spec = spec
        self._files = files
        allow_encoding(session, spec.source.encoding)
        for scanned in files:
            refuse_unreadable_text(scanned)

    def batch(self) -> Batch:
        text = Primitive("string")
        return Batch(
            rows=self._rows,
            columns={"line": text, "file": text},
            line=self._line,
            most_rows=sum(scanned.lines for scanned in self._files),
        )

    def _line(self, frame: DataFrame) -> DataFrame:
        if self._given is not None:
            return self._given.numbered(frame)
        return with_line_numbers(frame, self._files, self._session)

    def _lines(self, picked: Picked | None) -> DataFrame:
        if self._given is not None:
            return self._given.of(self._files)
        return read_lines(self._session, self._files, self._spec.source.encoding, picked)

    def _rows(self, picked: Picked | None) -> DataFrame:
        wrong = any_of([F.lit(False), *undecodable(self._files, self._spec.source.encoding)])
        own = [F.col(RAW).alias("line"), plain_file().alias("file")]
        lines = self._lines(picked)
        complaint = undecodable_complaint(self._spec.source.encoding).alias(COMPLAINT)
        return lines.select(*own, RAW, FILE, START, ID, wrong.alias(MALFORMED), complaint)


class BinaryFormat:
    """A row a file: its name, size, time and bytes."""

    def __init__(self, session: SparkSession, spec: PipelineSpec, files: list[ScannedFile]) -> None:
        del spec
        self._session = session
        self._files = files

    def batch(self) -> Batch:
        kinds = {"file": "string", "size": "long", "modified_at": "timestamptz", "content": "binary"}
        return Batch(
            rows=lambda picked: only(reduce(DataFrame.unionByName, [*self._full(), *self._empty()]), picked),
            columns={name: Primitive(kind) for name, kind in kinds.items()},
            line=lambda frame: frame.withColumn("line", F.lit(None).cast("bigint")),
            most_rows=len(self._files),
        )

    def _full(self) -> list[DataFrame]:
        paths = [scanned.file.for_spark for scanned in self._files if scanned.file.size]
        if not paths:
            return []
        rows = self._session.read.format("binaryFile").load(paths).withColumn(FILE, F.col("path"))
        own = [
            plain_file().alias("file"),
            F.col("length").alias("size"),
            F.col("modificationTime").alias("modified_at"),
            F.col("content"),
        ]
        return [rows.select(*own, FILE, *self._without_parts())]

    def _empty(self) -> list[DataFrame]:
        """Spark passes over files of no bytes without a word, so their rows are made here."""
        files = [scanned.file for scanned in self._files if not scanned.file.size]
        if not files:
            return []
        table = pa.table(
            {
                "file": pa.array([file.url for file in files], pa.string()),
                "size": pa.array([0] * len(files), pa.int64()),
                "modified_at": pa.array([file.modified for file in files], pa.timestamp("us", "UTC")),
                "content": pa.array([b""] * len(files), pa.binary()),
            }
        )
        rows = self._session.createDataFrame(table).withColumn(FILE, F.col("file"))
        return [rows.select("file", "size", "modified_at", "content", FILE, *self._without_parts())]

    def _without_parts(self) -> list[Column]:
        """A file is one row: it has no lines, no pieces, and nothing of it can be malformed."""
        place = [F.lit(0).cast("bigint").alias(START), F.monotonically_increasing_id().alias(ID)]
        nothing = [F.lit(None).cast("string").alias(name) for name in (RAW, COMPLAINT)]
        return [*place, *nothing, F.lit(False).alias(MALFORMED)]

"""JSON lines: one object a line, parsed by Spark's own parser."""

from collections.abc import Callable, Iterable, Iterator

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
    ROW,
    START,
    Batch,
    Picked,
    any_of,
    columns_of,
)
from boathouse.pipelines.ingest.encodings import allow_encoding
from boathouse.pipelines.ingest.given import GivenLines
from boathouse.pipelines.ingest.lines import (
    read_lines,
    undecodable,
    undecodable_complaint,
    with_line_numbers,
)
from boathouse.pipelines.ingest.scan import ScannedFile, refuse_unreadable_text
from boathouse.pipelines.ingest.values import misread, misreading, read_as_text, value_of
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import ColumnType, Struct, quoted, spark_type

CORRUPT = "_bh_corrupt"


class JsonFormat:
    def __init__(
        self,
        session: SparkSession,
        spec: PipelineSpec,
        files: list[ScannedFile],
        given: GivenLines | None = None,
        *,
        as_text: Callable[[ColumnType], bool] = read_as_text,
    ) -> None:
        """`as_text` says of which types a value is read as text first, and then as the type."""
        self._given = given
        self._as_text = as_text
        self._session = session
        self._spec = spec
        self._files = files
        allow_encoding(session, spec.source.encoding)
        for scanned in files:
            refuse_unreadable_text(scanned)

    def batch(self) -> Batch:
        columns = self._spec.columns or self._infer()
        return Batch(
            rows=lambda picked: self._parse(columns, picked),
            columns=columns,
            line=self._line,
            most_rows=sum(scanned.lines for scanned in self._files),
        )

    def _lines(self, picked: Picked | None) -> DataFrame:
        if self._given is not None:
            return self._given.of(self._files)
        return read_lines(self._session, self._files, self._spec.source.encoding, picked).where(F.trim(RAW) != "")

    def _line(self, frame: DataFrame) -> DataFrame:
        if self._given is not None:
            return self._given.numbered(frame)
        return with_line_numbers(frame, self._files, self._session)

    def _parse(self, columns: dict[str, ColumnType], picked: Picked | None) -> DataFrame:
        lines = self._lines(picked)
        ddl = ", ".join(f"{quoted(name)} {self._parsed_type(kind)}" for name, kind in columns.items())
        options = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": CORRUPT}
        places = (RAW, FILE, START, ID)
        rows = lines.withColumn(ROW, F.from_json(RAW, f"{ddl}, {CORRUPT} string", options))
        values = rows.select(*places, ROW, *(self._value(name, kind).alias(name) for name, kind in columns.items()))
        wrong = [F.col(f"{ROW}.{CORRUPT}").isNotNull(), *self._other_fields(columns), _several_values()]
        wrong += [
            misread(_field(name), F.col(quoted(name)), kind) for name, kind in columns.items() if self._as_text(kind)
        ]
        wrong += undecodable(self._files, self._spec.source.encoding)
        own = [F.col(quoted(name)) for name in columns]
        complaint = self._complaint(columns).alias(COMPLAINT)
        return values.select(*own, *places, any_of(wrong).alias(MALFORMED), complaint)

    def _parsed_type(self, kind: ColumnType) -> str:
        return "string" if self._as_text(kind) else spark_type(kind)

    def _value(self, name: str, kind: ColumnType) -> Column:
        return value_of(_field(name), kind) if self._as_text(kind) else _field(name)

    def _other_fields(self, columns: dict[str, ColumnType]) -> list[Column]:
        """Rows that lack a column, or hold a field the schema does not, where the spec does not allow that."""
        source = self._spec.source
        wrong: list[Column] = []
        if source.extra_columns == "refuse" and self._spec.columns is not None:
            wrong.append(F.coalesce(F.size(self._extra(columns)) > 0, F.lit(False)))
            wrong.append(F.coalesce(F.size(_repeated()) > 0, F.lit(False)))
        if source.missing_columns == "refuse" and self._spec.columns is not None:
            wrong.append(F.coalesce(F.size(self._missing(columns)) > 0, F.lit(False)))
        return wrong

    def _extra(self, columns: dict[str, ColumnType]) -> Column:
        """The fields that the schema does not have, also those of objects inside the object."""
        extra = F.array_except(F.json_object_keys(F.col(RAW)), _listed(columns))
        for path, names in _structs((), columns.items()):
            inside = F.json_object_keys(F.get_json_object(F.col(RAW), "$" + "".join(f"['{part}']" for part in path)))
            found = F.array_except(F.coalesce(inside, F.array().cast("array<string>")), _listed(names))
            extra = F.concat(extra, _prefixed(found, ".".join(path)))
        return extra

    def _missing(self, columns: dict[str, ColumnType]) -> Column:
        return F.array_except(_listed(columns), F.json_object_keys(F.col(RAW)))

    def _complaint(self, columns: dict[str, ColumnType]) -> Column:
        kept = [
            F.when(
                F.get_json_object(F.col(RAW), _path(name)).isNotNull() & F.col(quoted(name)).isNull(),
                misreading(name, kind, F.get_json_object(F.col(RAW), _path(name))),
            )
            for name, kind in columns.items()
        ]
        source = self._spec.source
        extra = F.array_join(self._extra(columns), ", ") if source.extra_columns == "refuse" else F.lit("")
        missing = F.array_join(self._missing(columns), ", ") if source.missing_columns == "refuse" else F.lit("")
        return (
            undecodable_complaint(source.encoding)
            .when(F.json_object_keys(F.col(RAW)).isNull(), F.lit("not a JSON object (a line holds one whole object)"))
            .when(_several_values(), F.lit("more than one JSON object on the line"))
            .otherwise(
                F.concat_ws(
                    "; ",
                    *kept,
                    F.when(extra != "", F.concat(F.lit("fields that the schema does not have: "), extra)),
                    F.when(
                        F.size(_repeated()) > 0,
                        F.concat(F.lit("fields that are given twice: "), F.array_join(_repeated(), ", ")),
                    ),
                    F.when(missing != "", F.concat(F.lit("fields of the schema are missing: "), missing)),
                )
            )
        )

    def _infer(self) -> dict[str, ColumnType]:
        paths = [scanned.file.for_spark for scanned in self._files]
        # Spark asks for the line end where it is told the encoding.
        options = {"encoding": self._spec.source.encoding, "lineSep": "\n", "columnNameOfCorruptRecord": CORRUPT}
        frame = self._session.read.options(**options).json(paths)
        columns = columns_of(frame.schema)
        columns.pop(CORRUPT, None)
        if not columns:
            raise InvalidInput(
                "The files hold no JSON object, so their columns cannot be inferred.", hint="Give the spec a schema."
            )
        return columns


def _field(name: str) -> Column:
    return F.col(f"{ROW}.{quoted(name)}")


def _prefixed(names: Column, path: str) -> Column:
    return F.transform(names, lambda name: F.concat(F.lit(f"{path}."), name))


def _repeated() -> Column:
    """The fields that the object gives more than once; Spark's parser would keep the last."""
    keys = F.json_object_keys(F.col(RAW))
    return F.filter(F.array_distinct(keys), lambda name: F.size(F.filter(keys, lambda other: other == name)) > 1)


def _structs(
    path: tuple[str, ...], fields: Iterable[tuple[str, ColumnType]]
) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Every object inside the object, as the path to it and the names of its fields."""
    for name, kind in fields:
        if isinstance(kind, Struct):
            here = (*path, name)
            yield here, [field for field, _ in kind.fields]
            yield from _structs(here, kind.fields)


def _listed(names: Iterable[str]) -> Column:
    return F.array(*(F.lit(name) for name in names))


def _path(name: str) -> str:
    return f"$['{name}']"


def _several_values() -> Column:
    """Whether anything follows the object: Spark's parser stops at its end. The costly look is taken at suspects only."""
    suspect = ~F.endswith(F.rtrim(F.col(RAW)), F.lit("}")) | F.rlike(F.col(RAW), F.lit(r"\}[\s,]*\{"))
    alone = F.from_json(F.concat(F.lit("["), F.col(RAW), F.lit("]")), "array<string>")
    return suspect & (F.coalesce(F.size(alone), F.lit(0)) != 1)

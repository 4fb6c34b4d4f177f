"""A pipeline's spec: where the data comes from, what it must look like, and where it goes."""

import codecs
import difflib
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.kit.relations import RECORDS
from boathouse.pipelines.derivation import derivation_order
from boathouse.pipelines.partitions import PartitionField, parse_partition
from boathouse.pipelines.spec_complaints import explain
from boathouse.pipelines.types import ColumnType, parse_type
from boathouse.pipelines.yaml_text import Document, read_yaml

# Encodings in which a newline is the one byte 0x0A, so that a file can be cut at newlines before it is decoded.
ENCODINGS = ("utf-8", "us-ascii", "iso-8859-1", "iso-8859-15", "windows-1250", "windows-1251", "windows-1252", "koi8-r")
_BY_PYTHON_NAME = {codecs.lookup(name).name: name for name in ENCODINGS}

_EVERY_KEY = "`boathouse pipeline keys` describes every key."
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCHEMES = frozenset({"file", "s3", "s3a"})
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]*")
_TABLE_PART = re.compile(r"[a-z0-9][a-z0-9_]*")
# The load gives such names to columns of its own.
_OWN_PREFIX = "_bh_"
_Spec = TypeVar("_Spec", bound=BaseModel)


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    TEXT = "text"
    BINARY = "binary"


class Action(StrEnum):
    """What happens to a row that breaks a rule."""

    DROP = "drop"
    QUARANTINE = "quarantine"
    FAIL = "fail"


class Mode(StrEnum):
    APPEND = "append"
    OVERWRITE_PARTITIONS = "overwrite_partitions"
    MERGE = "merge"


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, strict=True)


def _typed(value: Any) -> Any:
    return parse_type(_text(value, "a type, such as bigint"))


def _partition(value: Any) -> Any:
    return parse_partition(_text(value, "a partition, such as region or month(sold_on)"))


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be {what}")  # noqa: TRY004 - pydantic lists a ValueError and lets a TypeError through
    return value


def _one_character(value: str) -> str:
    if len(value) != 1 or value in "\r\n":
        raise ValueError("must be one character, and no line end")
    return value


def _one_byte(value: str) -> str:
    if not value.isascii():
        raise ValueError("must be an ASCII character, so that it is one byte in every encoding")
    return value


def _readable(value: str) -> str:
    """An encoding under the name that Spark has for it; Python knows the other names, such as latin-1."""
    try:
        return _BY_PYTHON_NAME[codecs.lookup(value).name]
    except LookupError:
        raise ValueError(f"{value!r} cannot be read; one of {', '.join(ENCODINGS)} (convert with iconv)") from None


def _reachable(value: str) -> str:
    scheme = _SCHEME.match(value)
    if scheme and scheme[1] not in _SCHEMES:
        raise ValueError(
            f"{value!r} cannot be read: only local paths and s3:// can; copy the file to one of them first"
        )
    return value


def _pipeline_name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError(
            f"{value!r} is not a name: write letters, digits, '_', '.', '-' and spaces, beginning with a letter or digit"
        )
    return value


def _listed(value: Any) -> Any:
    """One text may stand for a list of it alone."""
    return [value] if isinstance(value, str) else value


def _distinct(names: list[str]) -> None:
    """Spark does not tell names apart by their case."""
    seen: dict[str, str] = {}
    for name in names:
        if not name or name.startswith(_OWN_PREFIX):
            raise ValueError(f"{name!r} cannot be the name of a column")
        if name.lower() in seen:
            raise ValueError(f"{seen[name.lower()]!r} and {name!r} differ only in their case")
        seen[name.lower()] = name


def _columns(value: dict[str, ColumnType]) -> dict[str, ColumnType]:
    _distinct(list(value))
    return value


def _table_name(value: Any) -> Any:
    value = _text(value, "namespace.table")
    parts = value.split(".")
    if len(parts) < 2 or not all(_TABLE_PART.fullmatch(part) for part in parts):
        raise ValueError("must be namespace.table, in lower-case letters, digits and _")
    if parts[-1].endswith(RECORDS):
        raise ValueError(f"may not end in {', '.join(RECORDS)}: those are kept for the pipeline's own records")
    return TableName.parse(value)


def _without_cycle(value: dict[str, str]) -> dict[str, str]:
    _distinct(list(value))
    derivation_order(value)
    return value


def word(kind: type[StrEnum]) -> BeforeValidator:
    """A word of `kind`, with the nearest one named when it is misspelt."""

    def read(value: Any) -> Any:
        words = [str(word) for word in kind]
        if isinstance(value, str) and value in words:
            return kind(value)
        close = difflib.get_close_matches(str(value), words, n=1)
        raise ValueError(
            f"{value!r} is not one of {', '.join(words)}" + (f"; did you mean {close[0]}?" if close else "")
        )

    return BeforeValidator(read)


PipelineName = Annotated[str, AfterValidator(_pipeline_name)]
Character = Annotated[str, AfterValidator(_one_character)]
Mark = Annotated[Character, AfterValidator(_one_byte)]
Encoding = Annotated[str, AfterValidator(_readable)]
Typed = Annotated[ColumnType, BeforeValidator(_typed)]
Partition = Annotated[PartitionField, BeforeValidator(_partition)]
Columns = Annotated[dict[str, Typed], Field(min_length=1), AfterValidator(_columns)]
Table = Annotated[TableName, BeforeValidator(_table_name)]
Derived = Annotated[dict[str, str], AfterValidator(_without_cycle)]
Nonempty = Annotated[str, Field(min_length=1)]
OneOrMore = Annotated[list[Nonempty], BeforeValidator(_listed)]
Paths = Annotated[list[Annotated[Nonempty, AfterValidator(_reachable)]], BeforeValidator(_listed)]
Partitions = Annotated[list[Partition], BeforeValidator(_listed)]


class CsvOptions(Part):
    header: bool = Field(default=True, description="Whether the first line of every file names its columns.")
    delimiter: Character = Field(default=",", description="What stands between two fields.")
    quote: Mark = Field(default='"', description="What surrounds a field that holds the delimiter.")
    escape: Mark = Field(default='"', description="What stands before a quote inside a quoted field.")
    multiline: bool = Field(default=False, description="Whether a quoted field may run over several lines.")
    null: str = Field(default="", description="The text that means null.")
    date_format: str | None = Field(default=None, description="Spark's pattern of dates; else ISO.")
    timestamp_format: str | None = Field(default=None, description="Spark's pattern of timestamps; else ISO.")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.delimiter in (self.quote, self.escape):
            raise ValueError(f"{self.delimiter!r} cannot be the delimiter and the quote or escape at once")
        return self


class Source(Part):
    path: Paths = Field(
        description="Files: a path, a glob or a list; relative to the spec; or s3://bucket/key.", min_length=1
    )
    format: Annotated[Format, word(Format)] = Field(description="csv, json (one object a line), parquet, text, binary.")
    encoding: Encoding = Field(default="utf-8", description="Encoding of csv, json and text files.")
    csv: CsvOptions = Field(default_factory=CsvOptions, description="How csv files are written.")
    extra_columns: Literal["refuse", "ignore"] = Field(
        default="refuse", description="A column or field that `schema` does not have."
    )
    missing_columns: Literal["refuse", "fill"] = Field(
        default="refuse", description="A column of `schema` that a file lacks."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if "csv" in self.model_fields_set and self.format is not Format.CSV:
            raise ValueError(f"csv options are given, but the format is {self.format}")
        return self


class Expectation(Part):
    check: str = Field(description="An SQL predicate over the row; the row passes only where it is true.", min_length=1)
    name: str = Field(default="", description="What reports call it; else the predicate itself.")
    otherwise: Annotated[Action, word(Action)] = Field(
        default=Action.QUARANTINE, description="drop, quarantine or fail."
    )

    @property
    def title(self) -> str:
        return self.name or self.check


class Evolution(Part):
    add_columns: bool = Field(default=True, description="Whether new columns are added to the table.")
    widen_types: bool = Field(
        default=True, description="Whether int may become bigint, float double, decimal a wider one."
    )


class Target(Part):
    table: Table = Field(description="namespace.table")
    mode: Annotated[Mode, word(Mode)] = Field(default=Mode.APPEND, description="append, overwrite_partitions or merge.")
    keys: OneOrMore = Field(default_factory=list, description="With merge: the columns that identify a row.")
    latest_by: str | None = Field(
        default=None, description="With merge: the column whose greatest value wins; else the last line."
    )
    partition_by: Partitions = Field(
        default_factory=list, description="Partition transforms of a new table, such as month(sold_on); one or a list."
    )
    evolution: Evolution = Field(default_factory=Evolution, description="How the table may change with the schema.")
    properties: dict[str, str] = Field(default_factory=dict, description="Iceberg table properties of a new table.")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.mode is Mode.MERGE and not self.keys:
            raise ValueError("mode merge needs keys")
        if self.mode is not Mode.MERGE and (self.keys or self.latest_by):
            raise ValueError(f"keys and latest_by go with mode merge, not {self.mode}")
        return self


class PipelineSpec(Part):
    pipeline: PipelineName = Field(description="The pipeline's name.")
    description: str = Field(default="", description="What it is for.")
    source: Source = Field(description="Where the rows come from.")
    columns: Columns | None = Field(default=None, alias="schema", description="column: type; inferred if left out.")
    derive: Derived = Field(default_factory=dict, description="column: SQL expression, computed before the checks.")
    malformed: Annotated[Action, word(Action)] = Field(
        default=Action.QUARANTINE, description="Rows that do not fit the schema."
    )
    expectations: list[Expectation] = Field(default_factory=list, description="What a row must be like.")
    target: Target = Field(description="Where the rows go.")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.source.format in (Format.TEXT, Format.BINARY) and self.columns is not None:
            raise ValueError(f"format {self.source.format} has its own columns: leave schema out")
        if self.source.format is Format.CSV and not self.source.csv.header and self.columns is None:
            raise ValueError("a csv without a header needs a schema to name its columns")
        _distinct(self.known_columns() or [])
        self._refuse_unknown_columns()
        return self

    def _refuse_unknown_columns(self) -> None:
        known = self.known_columns()
        if known is None:
            return
        named = [*self.target.keys, *(field.column for field in self.target.partition_by)]
        named += [self.target.latest_by] if self.target.latest_by else []
        for name in named:
            if name not in known:
                raise ValueError(f"target names the column {name!r}, which is not in the schema ({', '.join(known)})")

    @property
    def rows_table(self) -> TableName:
        """Beside which its rejects are kept."""
        return self.target.table

    def known_columns(self) -> list[str] | None:
        """The columns the table will get, where the spec alone tells."""
        own = {Format.TEXT: ["line", "file"], Format.BINARY: ["file", "size", "modified_at", "content"]}
        columns = list(self.columns) if self.columns is not None else own.get(self.source.format)
        if columns is None:
            return None
        return columns + [name for name in self.derive if name not in columns]


def load_spec(path: Path) -> PipelineSpec:
    """Read a spec from a file; every mistake in it is listed with its line and column."""
    return parse_spec(spec_text(path), str(path))


def spec_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"There is no spec at {path}.", hint="Give the path of a pipeline's YAML file.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The spec {path} cannot be read: {error}.", hint="It must be a UTF-8 text file.") from error


def parse_spec(text: str, origin: str) -> PipelineSpec:
    return spec_of(PipelineSpec, read_spec(text, origin), origin)


def read_spec(text: str, origin: str) -> Document:
    document = read_yaml(text, origin)
    if not isinstance(document.value, dict):
        raise InvalidInput(f"{origin}:1:1: a spec is a mapping with pipeline, source and target.", hint=_EVERY_KEY)
    return document


def spec_of(model: type[_Spec], document: Document, origin: str) -> _Spec:
    try:
        return model.model_validate(document.value)
    except ValidationError as error:
        raise InvalidInput(explain(error, model, document, origin), hint=_EVERY_KEY) from None

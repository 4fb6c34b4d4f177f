"""How the rows of each format are read when they are given as text instead of in files."""

from collections.abc import Callable

from pyspark.sql.connect.session import SparkSession

from boathouse.pipelines.ingest.batch import Batch
from boathouse.pipelines.ingest.csv import CsvFormat
from boathouse.pipelines.ingest.given import GivenLines
from boathouse.pipelines.ingest.json import JsonFormat
from boathouse.pipelines.ingest.load import FileFormat
from boathouse.pipelines.ingest.scan import ScannedFile
from boathouse.pipelines.ingest.values import read_as_text
from boathouse.pipelines.ingest.whole import TextFormat
from boathouse.pipelines.spec import Format, PipelineSpec
from boathouse.pipelines.types import ColumnType, Primitive

_AS_THEY_ARE = (Primitive("string"), Primitive("binary"))


def _parquet(session: SparkSession, spec: PipelineSpec, files: list[ScannedFile], given: GivenLines) -> FileFormat:
    """A row of Parquet was kept as JSON. A number may stand there as text, as it may have stood in the file."""
    return JsonFormat(session, spec, files, given, as_text=_of_any_spelling)


def _of_any_spelling(kind: ColumnType) -> bool:
    return read_as_text(kind) or (isinstance(kind, Primitive) and kind not in _AS_THEY_ARE)


_FORMATS: dict[Format, Callable[[SparkSession, PipelineSpec, list[ScannedFile], GivenLines], FileFormat]] = {
    Format.CSV: CsvFormat,
    Format.JSON: JsonFormat,
    Format.TEXT: TextFormat,
    Format.PARQUET: _parquet,
}


def batch_of(session: SparkSession, spec: PipelineSpec, files: list[ScannedFile], given: GivenLines) -> Batch:
    return _FORMATS[spec.source.format](session, spec, files, given).batch()

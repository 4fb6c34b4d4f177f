"""Lines that are handed over instead of being read from their files: those of rejects that are replayed."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name everybody gives it

from boathouse.pipelines.ingest.batch import FILE, ID, RAW, START
from boathouse.pipelines.ingest.scan import ScannedFile

SCHEMA = f"{FILE} string, {START} bigint, {ID} bigint, {RAW} binary"


@dataclass(frozen=True)
class GivenLines:
    frame: DataFrame
    """Like what is read from files, but `START` is the number of the line, and no line is a header."""

    def of(self, files: Iterable[ScannedFile]) -> DataFrame:
        names = [as_spark_names(scanned.file.url) for scanned in files]
        return self.frame.where(F.col(FILE).isin(names))

    @staticmethod
    def numbered(frame: DataFrame) -> DataFrame:
        return frame.withColumn("line", F.col(START))


def as_spark_names(url: str) -> str:
    return quote(url, safe="/:")

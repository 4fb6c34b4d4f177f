"""What every step of a load needs to know."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql.connect.session import SparkSession

from boathouse.kit.access import LakeAccess, ObjectStoreAccess
from boathouse.kit.catalog_client import TableName
from boathouse.pipelines.spec import PipelineSpec
from boathouse.pipelines.types import quoted


@dataclass(frozen=True)
class LoadContext:
    spec: PipelineSpec
    base: Path
    """What the spec's paths are relative to."""
    session: SparkSession
    access: LakeAccess
    say: Callable[[str], None]
    """Is told each step as it begins."""
    again: bool = False
    """Whether files are loaded although they were loaded before."""

    @property
    def target(self) -> TableName:
        return self.spec.target.table

    @property
    def store(self) -> ObjectStoreAccess:
        return self.access.object_store

    def spark_name(self, table: TableName) -> str:
        return ".".join(quoted(part) for part in (self.access.spark.catalog, *table.namespace, table.name))

"""Files loaded into tables, as the tests of pipelines do it."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from pyspark.sql.connect.session import SparkSession

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient
from boathouse.pipelines.ingest.load import Load
from boathouse.pipelines.ingest.report import Report
from boathouse.pipelines.spec import parse_spec


@dataclass(frozen=True)
class Loading:
    """A directory of files, a namespace of tables, and a way from the one to the other."""

    folder: Path
    namespace: str
    session: SparkSession
    access: LakeAccess

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())
        return path

    def run(self, spec: str, *, again: bool = False) -> Report:
        read = parse_spec(dedent(spec).replace("NS.", f"{self.namespace}."), "spec.yaml")
        return Load(read, self.folder, self.session, self.access, lambda _: None, again=again).run()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The answer to a query in which NS stands for the test's namespace."""
        return [tuple(row) for row in self.session.sql(sql.replace("NS.", f"lake.{self.namespace}.")).collect()]

    def catalog(self) -> CatalogClient:
        return CatalogClient(self.access.catalog)

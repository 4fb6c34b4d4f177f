"""The headers of csv files, as they were when the files were loaded."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import BoathouseError
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.relations import LOADS_SUFFIX
from boathouse.kit.table_rows import read_all
from boathouse.pipelines.ingest.discovery import SourceFile, current_version
from boathouse.pipelines.ingest.scan import BYTE_ORDER_MARK, scan

_LOADS = pa.schema([(name, pa.string()) for name in ("load_id", "file", "version", "header")])
FileOfLoad = tuple[str, str]
"""The load's id and the file."""


@dataclass(frozen=True)
class Headers:
    client: CatalogClient
    store: ObjectStoreAccess
    table: TableName
    encoding: str

    def of(self, wanted: Iterable[FileOfLoad]) -> dict[FileOfLoad, str | None]:
        """None where nobody knows it any more: the load noted none, and the file has changed or is gone."""
        loads = self.client.find_table(self.table.beside(LOADS_SUFFIX))
        rows: list[dict[str, Any]] = (
            read_all(loads.metadata, _LOADS, LakeFiles(self.store)).to_pylist() if loads else []
        )
        known = {(row["load_id"], row["file"]): row for row in rows}
        return {place: self._one(known.get(place)) for place in set(wanted)}

    def _one(self, load: dict[str, Any] | None) -> str | None:
        if load is None:
            return None
        return load["header"] or self._from_file(load["file"], load["version"])

    def _from_file(self, url: str, version: str) -> str | None:
        """Of a file that was loaded before headers were noted, if it is still the same."""
        file = SourceFile(url, 0, version, datetime.now(UTC))
        try:
            if current_version(file, self.store) != version:
                return None
            first = scan(file, self.store).first_line
        except BoathouseError:
            return None
        return first.removeprefix(BYTE_ORDER_MARK).decode(self.encoding, "replace").rstrip("\r")

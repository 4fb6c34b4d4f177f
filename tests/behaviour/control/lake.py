"""A lakehouse of a catalog alone, as the control plane finds it in a home, and tables in it made by another's client."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import SecretStr
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.table import Table

from boathouse.kit.access import CatalogAccess, LakeAccess, ObjectStoreAccess, SparkAccess
from boathouse.kit.catalog_client import CatalogClient, Namespace, TableChange, TableName
from tests.integration.catalog_process import TOKEN, CatalogProcess
from tests.manifest_files import File, Listed, manifest, manifest_list

Json = Any


class Lake:
    def __init__(self, home: Path, catalog: CatalogProcess) -> None:
        self.home = home
        self.catalog = catalog
        nothing = SecretStr("none")
        access = LakeAccess(
            object_store=ObjectStoreAccess(
                endpoint="http://nowhere", region="x", bucket="x", access_key=nothing, secret_key=nothing
            ),
            catalog=CatalogAccess(uri=catalog.uri, warehouse="lake", token=SecretStr(TOKEN)),
            spark=SparkAccess(remote="sc://localhost:1", token=nothing, catalog="lake"),
        )
        access.save(home)
        self.client = CatalogClient(access.catalog)
        self._iceberg = RestCatalog("lake", uri=catalog.uri, warehouse="lake", token=TOKEN)

    def close(self) -> None:
        """With nothing left for the next test to find."""
        for namespace in sorted(_namespaces(self.client), key=len, reverse=True):
            for table in list(self.client.tables(namespace)):
                self.client.drop_table(table)
            self._iceberg.drop_namespace(namespace)
        self.client.close()
        self._iceberg.close()

    def table(self, name: str, columns: Sequence[str] = ("id",)) -> Table:
        """With columns of whole numbers."""
        self._iceberg.create_namespace_if_not_exists(name.rpartition(".")[0])
        return self._iceberg.create_table(name, pa.schema([(column, pa.int64()) for column in columns]))

    def write(self, name: str, rows: int = 3, **properties: str) -> None:
        table = self._iceberg.load_table(name)
        columns = [field.name for field in table.schema().fields]
        table.append(
            pa.table({column: pa.array(range(rows), pa.int64()) for column in columns}),
            snapshot_properties={name.replace("_", "."): value for name, value in properties.items()},
        )

    def rejects(
        self, name: str, rows: Sequence[tuple[str, str, int, str, str | None]], raw_bytes: bytes | None = None
    ) -> None:
        """Rows that a load of `name` rejected: its id, file, line, reason and raw line; and its bytes where they are no text."""
        kinds = {
            "load_id": pa.string(),
            "file": pa.string(),
            "line": pa.int64(),
            "reason": pa.string(),
            "raw": pa.string(),
        }
        more = {"raw_bytes": pa.binary(), "rejected_at": pa.timestamp("us", "UTC")}
        table = self._iceberg.create_table_if_not_exists(f"{name}__rejects", pa.schema({**kinds, **more}))
        told, at = [dict(zip(kinds, row, strict=True)) for row in rows], datetime.now(UTC)
        table.append(
            pa.Table.from_pylist(
                [{**row, "rejected_at": at, "raw_bytes": raw_bytes} for row in told], schema=table.schema().as_arrow()
            )
        )

    def rows(self, name: str) -> list[Json]:
        """As another's client reads them."""
        return self._iceberg.load_table(name).scan().to_arrow().to_pylist()

    def rename(self, before: str, after: str) -> None:
        self._iceberg.rename_table(before, after)

    def roll_back(self, name: str, snapshot: int) -> None:
        table = TableName.parse(name)
        uuid = self.client.load_table(table).metadata["table-uuid"]
        back = {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": snapshot}
        self.client.commit([TableChange(table, [{"type": "assert-table-uuid", "uuid": uuid}], [back])])

    def drop(self, name: str) -> None:
        self._iceberg.drop_table(name)

    def load(self, name: str) -> Table:
        return self._iceberg.load_table(name)

    def pretend_files(self, name: str, manifests: int, each: int, size: int) -> None:
        """As if a writer had left so many files: manifests that tell of them, and nothing else."""
        table = TableName.parse(name)
        metadata = self.client.load_table(table).metadata
        place = f"{metadata['location']}/metadata"
        listed: list[Listed] = []
        for number in range(manifests):
            files = [File(f"{place}/{number}-{one}.parquet", more={"file_size_in_bytes": size}) for one in range(each)]
            content = manifest(files)
            path = f"{place}/m{number}.avro"
            _file(path).write_bytes(content)
            listed.append(Listed(path, len(content), files=each))
        _file(f"{place}/list.avro").write_bytes(manifest_list(listed))
        self._commit(table, metadata, [_snapshot(1, f"{place}/list.avro", metadata, manifests * each)])

    def pretend_snapshots(self, name: str, count: int) -> None:
        table = TableName.parse(name)
        metadata = self.client.load_table(table).metadata
        empty = f"{metadata['location']}/metadata/empty.avro"
        _file(empty).parent.mkdir(parents=True, exist_ok=True)
        _file(empty).write_bytes(manifest_list([]))
        self._commit(table, metadata, [_snapshot(number, empty, metadata, 0) for number in range(1, count + 1)])

    def _commit(self, table: TableName, metadata: Json, snapshots: list[Json]) -> None:
        last = snapshots[-1]["snapshot-id"]
        reference = {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": last}
        requirements = [{"type": "assert-table-uuid", "uuid": metadata["table-uuid"]}]
        updates = [*({"action": "add-snapshot", "snapshot": one} for one in snapshots), reference]
        self.client.commit([TableChange(table, requirements, updates)])


def _namespaces(client: CatalogClient, below: Namespace = ()) -> Iterator[Namespace]:
    for namespace in client.namespaces(below):
        yield namespace
        yield from _namespaces(client, namespace)


def _file(location: str) -> Path:
    path = Path(location.removeprefix("file://"))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _snapshot(number: int, manifests: str, metadata: Json, files: int) -> Json:
    return {
        "snapshot-id": number,
        "parent-snapshot-id": number - 1 or None,
        "sequence-number": metadata["last-sequence-number"] + number,
        "timestamp-ms": metadata["last-updated-ms"] + number,
        "manifest-list": manifests,
        "summary": {"operation": "append", "total-data-files": str(files), "total-records": str(10 * files)},
        "schema-id": 0,
    }

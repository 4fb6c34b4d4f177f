"""A table as a busy writer leaves it: thousands of files and snapshots, told of in manifests, with no data behind them."""

from contextlib import suppress
from typing import Any

import obstore
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import LongType, NestedField, StringType

from boathouse.kit.access import LakeAccess
from boathouse.kit.catalog_client import CatalogClient, TableChange, TableName
from boathouse.kit.objects import Store, open_store
from tests.manifest_files import Field, File, Listed, manifest, manifest_list

MIB = 1024 * 1024
MANIFESTS, FILES_EACH, SNAPSHOTS, SHOPS = 20, 500, 1000, 40
_SCHEMA = Schema(NestedField(1, "id", LongType()), NestedField(2, "shop", StringType()))
_SPEC = PartitionSpec(PartitionField(2, 1000, IdentityTransform(), "shop"))


def make_large_table(access: LakeAccess, name: str) -> None:
    """10,000 files in 40 partitions, after 1,000 snapshots of which some were rolled back from."""
    _create(access, name)
    table = TableName.parse(name)
    with CatalogClient(access.catalog) as catalog:
        metadata = catalog.load_table(table).metadata
        place = f"{metadata['location']}/metadata"
        store = _store(access, place)
        obstore.put(store, "empty.avro", manifest_list([]))
        obstore.put(store, "list.avro", manifest_list([_manifest(store, place, one) for one in range(MANIFESTS)]))
        snapshots = [_snapshot(number, place, metadata) for number in range(1, SNAPSHOTS + 1)]
        main = {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": SNAPSHOTS}
        tag = {"action": "set-snapshot-ref", "ref-name": "audited", "type": "tag", "snapshot-id": SNAPSHOTS - 3}
        updates = [*({"action": "add-snapshot", "snapshot": one} for one in snapshots), main, tag]
        requirements = [{"type": "assert-table-uuid", "uuid": metadata["table-uuid"]}]
        catalog.commit([TableChange(table, requirements, updates)])


def _create(access: LakeAccess, name: str) -> None:
    token = access.catalog.token.get_secret_value()
    catalog = RestCatalog("lake", uri=access.catalog.uri, warehouse=access.catalog.warehouse, token=token)
    catalog.create_namespace_if_not_exists(name.rpartition(".")[0])
    with suppress(NoSuchTableError):
        catalog.drop_table(name)
    catalog.create_table(name, _SCHEMA, partition_spec=_SPEC)
    catalog.close()


def _manifest(store: Store, place: str, number: int) -> Listed:
    files = [_file(place, number, one) for one in range(FILES_EACH)]
    content = manifest(files, [Field("shop", "string")])
    obstore.put(store, f"m{number}.avro", content)
    return Listed(f"{place}/m{number}.avro", len(content), files=FILES_EACH)


def _file(place: str, number: int, one: int) -> File:
    shop = f"shop-{one % SHOPS:02}"
    path = f"{place.removesuffix('/metadata')}/data/shop={shop}/{number:05}-{one:05}.parquet"
    return File(path, {"shop": shop}, rows=1000 + one, more={"file_size_in_bytes": _size(one)})


def _size(one: int) -> int:
    """Every tenth as large as it should be."""
    return 300 * MIB if one % 10 == 0 else (1 + one % 30) * MIB // 4


def _snapshot(number: int, place: str, metadata: Any) -> Any:
    last = number == SNAPSHOTS
    # Each hundredth was written beside the next: the table was rolled back before it went on.
    parent = number - 2 if number % 100 == 1 and number > 1 else number - 1
    summary = {"operation": "append", "added-records": "1249500", "added-data-files": "10"}
    totals = {"total-records": "12495000", "total-data-files": "10000", "total-files-size": str(_BYTES)}
    return {
        "snapshot-id": number,
        **({"parent-snapshot-id": parent} if parent else {}),
        "sequence-number": metadata["last-sequence-number"] + number,
        "timestamp-ms": metadata["last-updated-ms"] + number,
        "manifest-list": f"{place}/{'list' if last else 'empty'}.avro",
        "summary": {**summary, **totals, "total-delete-files": "0"},
        "schema-id": 0,
    }


_BYTES = MANIFESTS * sum(_size(one) for one in range(FILES_EACH))


def _store(access: LakeAccess, place: str) -> Store:
    lake = access.object_store
    return open_store(
        place,
        endpoint=lake.endpoint,
        region=lake.region,
        access_key=lake.access_key.get_secret_value(),
        secret_key=lake.secret_key.get_secret_value(),
    )

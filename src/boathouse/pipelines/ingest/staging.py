"""A load prepared out of sight and published in one commit.

A staged table is a copy of the target's metadata under a name of its own: Spark changes its schema and writes to it as
to any table, its files land in the target's directories, and nobody else sees them. Publishing is one transaction over
all staged tables: each target takes over what its copy has gained, if the target is still what it was when it was
copied. A crash leaves a copy that nobody reads, which the next load forgets.
"""

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

import obstore

from boathouse.kit.access import ObjectStoreAccess
from boathouse.kit.catalog_client import CatalogClient, Json, TableChange, TableName
from boathouse.kit.errors import NotFound, Unavailable
from boathouse.kit.ids import new_uuid
from boathouse.kit.objects import storage_errors
from boathouse.kit.process_names import is_alive, myself
from boathouse.pipelines.ingest.discovery import s3_object

NAMESPACE = ("_staging",)
OWNER = "boathouse.staging-owner"
ROWS_SUFFIX = "__rows"
MAIN = "main"
DISTRIBUTION = "write.distribution-mode"
# No load takes a week, so what nobody has written to for so long was left by one that died on another machine.
ABANDONED_AFTER = timedelta(days=7)
FIRST_SCHEMA: Json = {"type": "struct", "schema-id": 0, "fields": []}


@dataclass(frozen=True)
class StagedTable:
    target: TableName
    name: TableName
    base: Json
    """The target's metadata when it was copied, or what it would be if it were created."""
    exists: bool

    @property
    def columns(self) -> list[Json]:
        return current_schema(self.base)["fields"]


def current_schema(metadata: Json) -> Json:
    return next(s for s in metadata["schemas"] if s["schema-id"] == metadata["current-schema-id"])


class Staging:
    """The staged tables of one load."""

    def __init__(self, client: CatalogClient, access: ObjectStoreAccess, load_id: str) -> None:
        self._client = client
        self._access = access
        self._load_id = load_id
        self._tables: list[StagedTable] = []
        self._scratch: list[TableName] = []

    def copy(self, target: TableName, create: Json) -> StagedTable:
        """Stage `target`; where it is not there yet, as the create request `create` would make it."""
        self._client.create_namespace(target.namespace)
        self._client.create_namespace(NAMESPACE)
        loaded = self._client.find_table(target)
        metadata = (loaded or self._client.stage_create(target, create)).metadata
        name = self.scratch_name(target)
        location = self._client.stage_create(name, {"schema": FIRST_SCHEMA}).metadata["location"]
        file = f"{location}/metadata/00000-{new_uuid()}.metadata.json"
        self._put(file, _copy(metadata, location))
        self._client.register_table(name, file)
        staged = StagedTable(target, name, metadata, exists=loaded is not None)
        self._tables.append(staged)
        return staged

    def scratch_name(self, target: TableName) -> TableName:
        return TableName(NAMESPACE, f"{'__'.join((*target.namespace, target.name))}__{self._load_id.replace('-', '')}")

    def scratch_table(self, target: TableName) -> TableName:
        """A name for rows that are only on their way; the table and its files go when the load ends."""
        name = TableName(NAMESPACE, self.scratch_name(target).name + ROWS_SUFFIX)
        self._scratch.append(name)
        return name

    def metadata(self, staged: StagedTable) -> Json:
        return self._client.load_table(staged.name).metadata

    def added(self, staged: StagedTable) -> int:
        """How many rows the copy has gained, as Iceberg counted them while it wrote."""
        news = _new_snapshots(staged.base, self.metadata(staged))
        return sum(int(snapshot["summary"].get("added-records", 0)) for snapshot in news)

    def publish(self) -> dict[TableName, Json]:
        """Make everything visible, or nothing: Conflict if a target has changed since it was copied."""
        gained = {staged.target: self.metadata(staged) for staged in self._tables}
        self._client.commit([_change(staged, gained[staged.target]) for staged in self._tables])
        return gained

    def discard(self) -> None:
        """Forget the copies; the files of a published load belong to its targets by then."""
        for staged in self._tables:
            self._try_to_forget(staged.name)
        for name in self._scratch:
            self._try_to_forget(name, purge=True)
        self._tables.clear()
        self._scratch.clear()

    def sweep(self) -> None:
        """Forget what loads left behind when they died."""
        try:
            names = list(self._client.tables(NAMESPACE))
        except NotFound:
            return
        for name in names:
            found = self._client.find_table(name)
            if found and _abandoned(found.metadata, _now_ms()):
                self._forget(name, purge=name.name.endswith(ROWS_SUFFIX))

    def _try_to_forget(self, name: TableName, *, purge: bool = False) -> None:
        """What cannot be forgotten now, the next load forgets; how this one ended must not depend on it."""
        with suppress(Unavailable):
            self._forget(name, purge=purge)

    def _forget(self, name: TableName, *, purge: bool = False) -> None:
        try:
            self._client.drop_table(name, purge=purge)
        except NotFound:
            return

    def _put(self, url: str, metadata: Json) -> None:
        store, key = s3_object(url, self._access)
        with storage_errors(url):
            obstore.put(store, key, json.dumps(metadata).encode(), mode="create")


def _copy(metadata: Json, location: str) -> Json:
    """The same table under another identity, with the target's directories to write to and its main branch alone."""
    home = metadata["location"]
    current = main_snapshot(metadata)
    properties: Json = {
        "write.data.path": f"{home}/data",
        "write.metadata.path": f"{home}/metadata",
        **metadata.get("properties", {}),
        "gc.enabled": "false",  # its files are the target's: nothing may ever delete them through the copy
        OWNER: myself(),
    }
    if metadata.get("default-sort-order-id") and properties.get(DISTRIBUTION, "range") == "range":
        # To cut ranges Spark reads the rows once more beforehand, and they would be counted twice.
        properties[DISTRIBUTION] = "hash"
    return metadata | {
        "table-uuid": new_uuid(),
        "location": location,
        "last-updated-ms": _now_ms(),
        "properties": properties,
        "snapshots": [snapshot for snapshot in metadata.get("snapshots", []) if snapshot["snapshot-id"] == current],
        "refs": {MAIN: metadata["refs"][MAIN]} if current is not None else {},
        "snapshot-log": [],
        "metadata-log": [],
    }


def main_snapshot(metadata: Json) -> int | None:
    ref = metadata.get("refs", {}).get(MAIN)
    return ref["snapshot-id"] if ref else None


def _change(staged: StagedTable, gained: Json) -> TableChange:
    news = _new_snapshots(staged.base, gained)
    data: list[Json] = [{"action": "add-snapshot", "snapshot": snapshot} for snapshot in news]
    if news:
        # The whole reference: what it says of how long snapshots are kept would be lost otherwise.
        data.append({"action": "set-snapshot-ref", "ref-name": MAIN, **gained["refs"][MAIN]})
    if staged.exists:
        return TableChange(staged.target, _unchanged(staged.base), [*_new_schemas(staged.base, gained), *data])
    return TableChange(staged.target, [{"type": "assert-create"}], [*_creation(staged.base, gained), *data])


def _new_snapshots(base: Json, gained: Json) -> list[Json]:
    """What was written since, in the order in which it was."""
    known = {snapshot["snapshot-id"] for snapshot in base.get("snapshots", [])}
    news = [snapshot for snapshot in gained.get("snapshots", []) if snapshot["snapshot-id"] not in known]
    return sorted(news, key=lambda snapshot: snapshot.get("sequence-number", 0))


def _unchanged(base: Json) -> list[Json]:
    return [
        {"type": "assert-table-uuid", "uuid": base["table-uuid"]},
        {"type": "assert-ref-snapshot-id", "ref": MAIN, "snapshot-id": main_snapshot(base)},
        {"type": "assert-current-schema-id", "current-schema-id": base["current-schema-id"]},
        {"type": "assert-last-assigned-field-id", "last-assigned-field-id": base["last-column-id"]},
        {"type": "assert-default-spec-id", "default-spec-id": base["default-spec-id"]},
    ]


def _new_schemas(base: Json, gained: Json) -> list[Json]:
    known = {schema["schema-id"] for schema in base["schemas"]}
    updates = [_add_schema(schema, gained) for schema in gained["schemas"] if schema["schema-id"] not in known]
    if gained["current-schema-id"] != base["current-schema-id"]:
        updates.append({"action": "set-current-schema", "schema-id": gained["current-schema-id"]})
    return updates


def _creation(base: Json, gained: Json) -> list[Json]:
    return [
        {"action": "assign-uuid", "uuid": base["table-uuid"]},
        {"action": "upgrade-format-version", "format-version": base["format-version"]},
        *(_add_schema(schema, gained) for schema in gained["schemas"]),
        {"action": "set-current-schema", "schema-id": gained["current-schema-id"]},
        *({"action": "add-spec", "spec": spec} for spec in base["partition-specs"]),
        {"action": "set-default-spec", "spec-id": base["default-spec-id"]},
        *({"action": "add-sort-order", "sort-order": order} for order in base["sort-orders"]),
        {"action": "set-default-sort-order", "sort-order-id": base["default-sort-order-id"]},
        {"action": "set-location", "location": base["location"]},
        {"action": "set-properties", "updates": base.get("properties", {})},
    ]


def _add_schema(schema: Json, gained: Json) -> Json:
    return {"action": "add-schema", "schema": schema, "last-column-id": gained["last-column-id"]}


def ownership() -> tuple[str, str]:
    """The property by which a table that is only on its way is known for this process's."""
    return OWNER, myself()


def _abandoned(metadata: Json, now_ms: int) -> bool:
    alive = is_alive(metadata.get("properties", {}).get(OWNER, ""))
    if alive is None:
        return timedelta(milliseconds=now_ms - metadata["last-updated-ms"]) > ABANDONED_AFTER
    return not alive


def _now_ms() -> int:
    return time.time_ns() // 1_000_000

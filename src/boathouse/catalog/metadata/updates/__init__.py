"""Every update of a table, by its action. An update is a small function on a draft."""

from collections.abc import Callable, Sequence

from boathouse.catalog.metadata.draft import TableDraft
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.metadata.updates import (
    encryption,
    partitions,
    refs,
    schemas,
    snapshots,
    sort_orders,
    statistics,
    table,
)
from boathouse.catalog.metadata.updates.applying import apply_known

Update = Callable[[TableDraft, Json], None]

UPDATES: dict[str, Update] = {
    "assign-uuid": table.assign_uuid,
    "upgrade-format-version": table.upgrade_format_version,
    "set-location": table.set_location,
    "set-properties": table.set_properties,
    "remove-properties": table.remove_properties,
    "add-schema": schemas.add_schema,
    "set-current-schema": schemas.set_current_schema,
    "remove-schemas": schemas.remove_schemas,
    "add-spec": partitions.add_spec,
    "set-default-spec": partitions.set_default_spec,
    "remove-partition-specs": partitions.remove_partition_specs,
    "add-sort-order": sort_orders.add_sort_order,
    "set-default-sort-order": sort_orders.set_default_sort_order,
    "add-snapshot": snapshots.add_snapshot,
    "remove-snapshots": snapshots.remove_snapshots,
    "set-snapshot-ref": refs.set_snapshot_ref,
    "remove-snapshot-ref": refs.remove_snapshot_ref,
    "set-statistics": statistics.set_statistics,
    "remove-statistics": statistics.remove_statistics,
    "set-partition-statistics": statistics.set_partition_statistics,
    "remove-partition-statistics": statistics.remove_partition_statistics,
    "add-encryption-key": encryption.add_encryption_key,
    "remove-encryption-key": encryption.remove_encryption_key,
}


def apply_updates(draft: TableDraft, updates: Sequence[Json]) -> None:
    apply_known(draft, updates, UPDATES)

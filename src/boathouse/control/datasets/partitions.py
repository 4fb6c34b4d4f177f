"""A table's partitions: how many files, rows and bytes each has, counted in one pass over its manifests."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from boathouse.control.datasets.files import DATA, small_below
from boathouse.control.datasets.partition_labels import label, values_of
from boathouse.control.datasets.reading import current_snapshot, first_files
from boathouse.control.datasets.table_schemas import Partitions, PartitionTold
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit.manifests import LiveFile
from boathouse.kit.partition_values import transforms


class PartitionOrder(StrEnum):
    NAME = "name"
    FILES = "files"
    ROWS = "rows"
    BYTES = "bytes"
    SMALL = "small"
    NAME_DOWN = "-name"
    FILES_DOWN = "-files"
    ROWS_DOWN = "-rows"
    BYTES_DOWN = "-bytes"
    SMALL_DOWN = "-small"


_ORDERS: dict[str, Callable[[PartitionTold], Any]] = {
    "name": lambda one: one.label,
    "files": lambda one: one.files,
    "rows": lambda one: one.rows,
    "bytes": lambda one: one.bytes,
    "small": lambda one: one.small_files / max(one.files, 1),
}


@dataclass
class _Count:
    values: dict[str, Any]
    spec_id: int
    files: int = 0
    small_files: int = 0
    delete_files: int = 0
    rows: int = 0
    bytes: int = 0

    def add(self, file: LiveFile, below: int) -> None:
        self.bytes += file.bytes
        if file.content != DATA:
            self.delete_files += 1
            return
        self.files += 1
        self.rows += file.records
        self.small_files += file.bytes < below


def partitions(live: LiveTable, order: PartitionOrder, text: str | None, offset: int, limit: int) -> Partitions:
    found, complete = first_files(live, current_snapshot(live))
    by_name, below = transforms(live.metadata), small_below(live.metadata)
    counts: dict[str, _Count] = {}
    for manifest, file in found:
        name = label(file, by_name)
        count = counts.setdefault(name, _Count(values_of(file, by_name), manifest.spec_id))
        count.add(file, below)
    told = [PartitionTold(label=name, **vars(count)) for name, count in counts.items()]
    kept = [one for one in told if (text or "").casefold() in one.label.casefold()]
    kept.sort(key=_ORDERS["name"])
    kept.sort(key=_ORDERS[order.lstrip("-")], reverse=order.startswith("-"))
    after = offset + limit
    return Partitions(
        items=kept[offset:after],
        next=str(after) if after < len(kept) else None,
        total=len(kept),
        small_below=below,
        complete=complete,
    )

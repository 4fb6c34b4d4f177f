"""Which delete files apply to which data files: by sequence number, by partition, by the file they name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from boathouse.catalog.planning.files import Content, FileEntry
from boathouse.catalog.planning.projection import PartitionField

# The column of a position delete file that holds the data files' paths.
_FILE_PATH = 2147483546
Partition = tuple[int, tuple[Any, ...]]


class DeleteIndex:
    def __init__(self, deletes: Iterable[FileEntry], specs: Mapping[int, list[PartitionField]]) -> None:
        self._everywhere: list[FileEntry] = []
        self._vectors: dict[str, FileEntry] = {}
        self._by_path: dict[str, list[FileEntry]] = defaultdict(list)
        self._by_partition: dict[Partition, list[FileEntry]] = defaultdict(list)
        self._unpartitioned = {spec_id for spec_id, fields in specs.items() if all_void(fields)}
        for entry in deletes:
            self._add(entry)

    def applying_to(self, data: FileEntry) -> Iterator[FileEntry]:
        vector = self._vectors.get(data.path)
        if vector is not None and vector.sequence_number < data.sequence_number:
            vector = None
        here = self._by_partition.get((data.spec_id, data.partition), [])
        for entry in (*self._everywhere, *here, *self._by_path.get(data.path, [])):
            if _applies(entry, data) and (vector is None or entry.content is Content.EQUALITY_DELETES):
                yield entry
        # A vector holds all positions that are deleted: position delete files beside it are out of date.
        if vector is not None:
            yield vector

    def _add(self, entry: FileEntry) -> None:
        named = entry.more.get("referenced_data_file")
        if entry.content is Content.EQUALITY_DELETES and entry.spec_id in self._unpartitioned:
            self._everywhere.append(entry)
        elif entry.format == "puffin" and named is not None:
            self._vectors[named] = entry
        elif entry.content is Content.POSITION_DELETES and named is not None:
            self._by_path[named].append(entry)
        else:
            self._by_partition[entry.spec_id, entry.partition].append(entry)


def all_void(fields: Iterable[PartitionField]) -> bool:
    """Whether a spec does not partition, or no longer."""
    return all(field.transform == "void" for field in fields)


def _applies(delete: FileEntry, data: FileEntry) -> bool:
    if delete.content is Content.EQUALITY_DELETES:
        return data.sequence_number < delete.sequence_number
    return data.sequence_number <= delete.sequence_number and _may_name(delete, data.path)


def _may_name(delete: FileEntry, path: str) -> bool:
    lower, upper = delete.lower_bounds.get(_FILE_PATH), delete.upper_bounds.get(_FILE_PATH)
    named = path.encode()
    return (lower is None or lower <= named) and (upper is None or named <= upper)

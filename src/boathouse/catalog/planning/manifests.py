"""Manifest lists and manifests out of their Avro files. Read block by block: only what is asked for is kept."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from boathouse.catalog.errors import Validation
from boathouse.catalog.planning.avro import AvroFile, Record
from boathouse.catalog.planning.files import Content, FieldSummary, FileEntry, Manifest
from boathouse.catalog.planning.projection import PartitionField
from boathouse.catalog.planning.stored import UNKNOWN, checked_partition, maybe, maybe_map, needed
from boathouse.catalog.planning.transforms import is_known
from boathouse.catalog.planning.values import from_avro
from boathouse.kit.errors import BoathouseError
from boathouse.kit.objects import shown

_DELETED = 2
_PASSED_ON: dict[str, type | list[type]] = {
    "key_metadata": bytes,
    "split_offsets": [int],
    "equality_ids": [int],
    "sort_order_id": int,
    "referenced_data_file": str,
    "content_offset": int,
    "content_size_in_bytes": int,
}


def read_manifest_list(location: str, content: bytes) -> Iterator[Manifest]:
    with _as_iceberg_writes(location):
        for record in AvroFile(content):
            yield _manifest(record)


def read_entries(
    manifest: Manifest, content: bytes, specs: Mapping[int, Sequence[PartitionField]]
) -> Iterator[FileEntry]:
    """The live files of a manifest, with what they inherit from it."""
    with _as_iceberg_writes(manifest.path):
        file = AvroFile(content)
        spec_id = manifest.spec_id if manifest.spec_id >= 0 else int(file.metadata.get("partition-spec-id", b"0"))
        partition = _partition_reader(file.schema, specs.get(spec_id, []))
        row_id = manifest.first_row_id
        for record in file:
            if record["status"] == _DELETED:
                continue
            entry = _entry(record, manifest, spec_id, partition, row_id)
            if row_id is not None and record["data_file"].get("first_row_id") is None:
                row_id += entry.record_count
            yield entry


@contextmanager
def _as_iceberg_writes(location: str) -> Generator[None]:
    """Written by a client, so whatever is wrong with it is the client's: the library has many errors of its own."""
    try:
        yield
    except BoathouseError:
        raise
    except Exception as error:
        raise Validation(
            f"Cannot read {shown(location)}: it is not an Avro file as Iceberg writes it ({error!r:.200})"
        ) from error


def _manifest(record: Record) -> Manifest:
    summaries = record.get("partitions")
    return Manifest(
        path=needed(record, "manifest_path", str),
        length=needed(record, "manifest_length", int),
        spec_id=needed(record, "partition_spec_id", int),
        deletes=record.get("content") == 1,
        sequence_number=maybe(record, "sequence_number", int) or 0,
        added_snapshot_id=maybe(record, "added_snapshot_id", int),
        live_files=_sum(record, "files_count", "data_files_count"),
        live_rows=_sum(record, "rows_count"),
        partitions=None if summaries is None else tuple(_summary(summary) for summary in summaries),
        first_row_id=maybe(record, "first_row_id", int),
    )


def _sum(record: Record, *names: str) -> int | None:
    """Of what was added and what existed. Older writers have another name for it."""
    for name in names:
        added, existing = maybe(record, f"added_{name}", int), maybe(record, f"existing_{name}", int)
        if added is not None and existing is not None:
            return added + existing
    return None


def _summary(summary: Record) -> FieldSummary:
    return FieldSummary(
        contains_null=needed(summary, "contains_null", bool),
        contains_nan=maybe(summary, "contains_nan", bool),
        lower=maybe(summary, "lower_bound", bytes),
        upper=maybe(summary, "upper_bound", bytes),
    )


PartitionReader = Callable[[Record], tuple[Any, ...]]


def _partition_reader(schema: Record, fields: Sequence[PartitionField]) -> PartitionReader:
    """Values in the order of the partition spec. Avro's names are not the spec's: the ids in its schema are."""
    stored = {one.get("field-id", 1000 + place): one for place, one in enumerate(_partition_schema(schema))}
    plan = [
        (stored[field.id]["name"], _type_of(field), _stored_type(stored[field.id])) if field.id in stored else None
        for field in fields
    ]

    def read(partition: Record) -> tuple[Any, ...]:
        return tuple(
            None if one is None else checked_partition(from_avro(partition.get(one[0]), one[1], one[2]), one[1])
            for one in plan
        )

    return read


def _type_of(field: PartitionField) -> str:
    """What values of a transform of a newer format are, nobody can say."""
    return field.type if is_known(field.transform) else UNKNOWN


def _partition_schema(schema: Record) -> list[Record]:
    data_file = next(one for one in schema["fields"] if one["name"] == "data_file")
    partition = next(one for one in data_file["type"]["fields"] if one["name"] == "partition")
    return partition["type"]["fields"]


def _stored_type(field: Record) -> object:
    kind = field["type"]
    options: list[Any] = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    return options[0]["type"] if options and isinstance(options[0], dict) else (options or [None])[0]


def _entry(
    record: Record, manifest: Manifest, spec_id: int, partition: PartitionReader, row_id: int | None
) -> FileEntry:
    file: Record = record["data_file"]
    own_row_id = maybe(file, "first_row_id", int)
    return FileEntry(
        content=Content(maybe(file, "content", int) or 0),
        path=needed(file, "file_path", str),
        format=needed(file, "file_format", str).lower(),
        spec_id=spec_id,
        partition=partition(file["partition"]),
        record_count=needed(file, "record_count", int),
        size=needed(file, "file_size_in_bytes", int),
        sequence_number=_sequence_number(record, manifest),
        added=record["status"] == 1,
        snapshot_id=maybe(record, "snapshot_id", int) or manifest.added_snapshot_id,
        column_sizes=maybe_map(file, "column_sizes", int),
        value_counts=maybe_map(file, "value_counts", int),
        null_counts=maybe_map(file, "null_value_counts", int),
        nan_counts=maybe_map(file, "nan_value_counts", int),
        lower_bounds=maybe_map(file, "lower_bounds", bytes),
        upper_bounds=maybe_map(file, "upper_bounds", bytes),
        first_row_id=own_row_id if own_row_id is not None else row_id,
        more={name: value for name, kind in _PASSED_ON.items() if (value := maybe(file, name, kind)) is not None},
    )


def _sequence_number(record: Record, manifest: Manifest) -> int:
    own = maybe(record, "sequence_number", int)
    return manifest.sequence_number if own is None else own

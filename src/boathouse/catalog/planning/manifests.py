"""Manifest lists and manifests out of their Avro files. Read block by block: only what is asked for is kept."""

import io
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import fastavro
import fastavro.schema

from boathouse.catalog.errors import Validation
from boathouse.catalog.planning.files import Content, FieldSummary, FileEntry, Manifest
from boathouse.catalog.planning.projection import PartitionField
from boathouse.catalog.planning.values import from_avro
from boathouse.kit.errors import BoathouseError

Record = dict[str, Any]
_DELETED = 2
_PASSED_ON = (
    "key_metadata",
    "split_offsets",
    "equality_ids",
    "sort_order_id",
    "referenced_data_file",
    "content_offset",
    "content_size_in_bytes",
)


def read_manifest_list(location: str, content: bytes) -> Iterator[Manifest]:
    with _as_iceberg_writes(location):
        for record in _AvroFile(content):
            yield _manifest(record)


def read_entries(
    manifest: Manifest, content: bytes, specs: Mapping[int, Sequence[PartitionField]]
) -> Iterator[FileEntry]:
    """The live files of a manifest, with what they inherit from it."""
    with _as_iceberg_writes(manifest.path):
        file = _AvroFile(content)
        spec_id = manifest.spec_id if manifest.spec_id >= 0 else file.spec_id
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
            f"Cannot read {location}: it is not an Avro file as Iceberg writes it ({error!r:.200})"
        ) from error


class _AvroFile:
    def __init__(self, content: bytes) -> None:
        self._blocks = fastavro.block_reader(io.BytesIO(content))
        self.schema = cast(Record, _plain(self._blocks.writer_schema))
        self._parsed = fastavro.schema.parse_schema(self.schema)

    @property
    def spec_id(self) -> int:
        return int(self._blocks.metadata.get("partition-spec-id", "0"))

    def __iter__(self) -> Iterator[Record]:
        for block in self._blocks:
            records: io.BytesIO = block.bytes_  # pyright: ignore[reportAttributeAccessIssue] - missing in its stub
            for _ in range(block.num_records):
                yield cast(Record, fastavro.schemaless_reader(records, self._parsed, None))


def _plain(schema: Any) -> Any:
    """Without logical types: values stay as they are stored, also those outside of what Python's own types hold."""
    if isinstance(schema, list):
        return [_plain(one) for one in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _plain(value)
        for name, value in cast(Record, schema).items()
        if name not in {"logicalType", "__fastavro_parsed_schema", "__named_schemas"}
    }


def _manifest(record: Record) -> Manifest:
    summaries = record.get("partitions")
    if not isinstance(record["manifest_path"], str):
        raise TypeError("manifest_path is not text")
    return Manifest(
        path=record["manifest_path"],
        length=record["manifest_length"],
        spec_id=record["partition_spec_id"],
        deletes=record.get("content") == 1,
        sequence_number=record.get("sequence_number") or 0,
        added_snapshot_id=record.get("added_snapshot_id"),
        live_files=_sum(record, "files_count", "data_files_count"),
        live_rows=_sum(record, "rows_count"),
        partitions=None if summaries is None else tuple(_summary(summary) for summary in summaries),
        first_row_id=record.get("first_row_id"),
    )


def _sum(record: Record, *names: str) -> int | None:
    """Of what was added and what existed. Older writers have another name for it."""
    for name in names:
        added, existing = record.get(f"added_{name}"), record.get(f"existing_{name}")
        if added is not None and existing is not None:
            return added + existing
    return None


def _summary(summary: Record) -> FieldSummary:
    return FieldSummary(
        contains_null=summary["contains_null"],
        contains_nan=summary.get("contains_nan"),
        lower=summary.get("lower_bound"),
        upper=summary.get("upper_bound"),
    )


PartitionReader = Callable[[Record], tuple[Any, ...]]


def _partition_reader(schema: Record, fields: Sequence[PartitionField]) -> PartitionReader:
    """Values in the order of the partition spec. Avro's names are not the spec's: the ids in its schema are."""
    stored = {one.get("field-id", 1000 + place): one for place, one in enumerate(_partition_schema(schema))}
    plan = [
        (stored[field.id]["name"], field.type, _stored_type(stored[field.id])) if field.id in stored else None
        for field in fields
    ]

    def read(partition: Record) -> tuple[Any, ...]:
        return tuple(None if one is None else from_avro(partition.get(one[0]), one[1], one[2]) for one in plan)

    return read


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
    own_row_id = file.get("first_row_id")
    return FileEntry(
        content=Content(file.get("content") or 0),
        path=file["file_path"],
        format=file["file_format"].lower(),
        spec_id=spec_id,
        partition=partition(file["partition"]),
        record_count=file["record_count"],
        size=file["file_size_in_bytes"],
        sequence_number=_sequence_number(record, manifest),
        added=record["status"] == 1,
        snapshot_id=record.get("snapshot_id") or manifest.added_snapshot_id,
        column_sizes=_map(file.get("column_sizes")),
        value_counts=_map(file.get("value_counts")),
        null_counts=_map(file.get("null_value_counts")),
        nan_counts=_map(file.get("nan_value_counts")),
        lower_bounds=_map(file.get("lower_bounds")),
        upper_bounds=_map(file.get("upper_bounds")),
        first_row_id=own_row_id if own_row_id is not None else row_id,
        more={name: file[name] for name in _PASSED_ON if file.get(name) is not None},
    )


def _sequence_number(record: Record, manifest: Manifest) -> int:
    own = record.get("sequence_number")
    return manifest.sequence_number if own is None else own


def _map(pairs: list[Record] | dict[Any, Any] | None) -> dict[int, Any]:
    """Avro's maps have strings for keys, so Iceberg writes lists of pairs."""
    return {pair["key"]: pair["value"] for pair in pairs} if isinstance(pairs, list) else dict(pairs or {})

"""The files of a snapshot, out of its manifest list and manifests: how large each is, and in which partition.

For whoever looks at a table. What the catalog needs to plan a scan is more, and is read there.
"""

import io
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import fastavro

from boathouse.kit.errors import BoathouseError, Unavailable

Json = dict[str, Any]
_DELETED = 2
_OF_FILE = frozenset({"content", "file_path", "file_format", "partition", "record_count", "file_size_in_bytes"})


@dataclass(frozen=True)
class Manifest:
    path: str
    spec_id: int
    files: int | None
    """Live ones; None where an old writer did not count them."""


@dataclass(frozen=True)
class LiveFile:
    content: int
    """0 for data, 1 for position deletes, 2 for equality deletes."""
    path: str
    format: str
    records: int
    bytes: int
    partition: Mapping[str, Any]


def read_manifest_list(location: str, content: bytes) -> list[Manifest]:
    with _as_iceberg_writes(location):
        return [
            Manifest(str(record["manifest_path"]), int(record["partition_spec_id"]), _live(record))
            for record in _records(content)
        ]


def read_files(manifest: Manifest, content: bytes) -> Iterator[LiveFile]:
    """The live files of a manifest, in its order."""
    with _as_iceberg_writes(manifest.path):
        for record in _records(content, _lean):
            if record["status"] != _DELETED:
                yield _file(record["data_file"])


@contextmanager
def _as_iceberg_writes(location: str) -> Generator[None]:
    try:
        yield
    except BoathouseError:
        raise
    except Exception as error:
        # Written by whatever client, and the library has many errors of its own.
        raise Unavailable(
            f"{location} is not an Avro file as Iceberg writes it ({error!r:.200}).", hint="The table is damaged."
        ) from error


def _records(content: bytes, lean: Any = None) -> Iterator[Json]:
    wanted = None
    if lean is not None:
        wanted = lean(fastavro.reader(io.BytesIO(content)).writer_schema)
    for record in fastavro.reader(io.BytesIO(content), wanted):
        yield cast("Json", record)


def _lean(schema: Json) -> Json:
    """The writer's schema without each column's statistics, which are most of a manifest and skipped quickly."""
    fields = [
        {**field, "type": _only(field["type"], _OF_FILE)} if field["name"] == "data_file" else field
        for field in schema["fields"]
        if field["name"] in {"status", "data_file"}
    ]
    return {"type": "record", "name": schema["name"], "fields": fields}


def _only(record: Json, names: frozenset[str]) -> Json:
    return {**record, "fields": [field for field in record["fields"] if field["name"] in names]}


def _live(record: Json) -> int | None:
    # Older writers have another name for it.
    for name in ("files_count", "data_files_count"):
        added, existing = record.get(f"added_{name}"), record.get(f"existing_{name}")
        if added is not None and existing is not None:
            return added + existing
    return None


def _file(record: Json) -> LiveFile:
    return LiveFile(
        content=record.get("content") or 0,
        path=record["file_path"],
        format=str(record["file_format"]).lower(),
        records=record["record_count"],
        bytes=record["file_size_in_bytes"],
        partition=record["partition"],
    )

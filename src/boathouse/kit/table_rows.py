"""The rows of a table, read from its data files beside any engine.

For what pipelines keep beside their tables: a few columns of text that are only ever added to, which somebody wants to see at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from boathouse.kit.errors import Conflict
from boathouse.kit.lake_files import LakeFiles
from boathouse.kit.manifests import LiveFile, read_files, read_manifest_list
from boathouse.kit.table_metadata import current_snapshot

Json = dict[str, Any]
Rows = Any
"""A `pyarrow.Table`, which comes without types."""


def data_files(metadata: Json, files: LakeFiles) -> Iterator[LiveFile]:
    """Of the current snapshot, the newest first as far as the writers kept to it."""
    snapshot = current_snapshot(metadata)
    if snapshot is None:
        return
    location = str(snapshot["manifest-list"])
    for manifest in read_manifest_list(location, files.get(location)):
        for file in read_files(manifest, files.get(manifest.path)):
            if file.content != 0:
                raise Conflict(
                    f"{metadata['location']} has rows that were deleted beside its files, so it can only be read by an engine.",
                    hint="Rewrite its data files, for example with CALL lake.system.rewrite_data_files(…).",
                )
            yield file


def read_file(file: LiveFile, columns: Sequence[str], kinds: Any, files: LakeFiles) -> Rows:
    """The columns in this order and of these types; null where the file is older than the column."""
    opened = pq.ParquetFile(pa.BufferReader(files.get(file.path)))
    there = [name for name in columns if name in opened.schema_arrow.names]
    found = opened.read(columns=there)
    filled = [
        found[name].cast(kinds.field(name).type) if name in there else pa.nulls(found.num_rows, kinds.field(name).type)
        for name in columns
    ]
    return pa.table(filled, names=list(columns))


def read_all(metadata: Json, kinds: Any, files: LakeFiles) -> Rows:
    """Every row, for tables that are small."""
    parts = [read_file(file, kinds.names, kinds, files) for file in data_files(metadata, files)]
    return pa.concat_tables(parts) if parts else kinds.empty_table()

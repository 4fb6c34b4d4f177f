"""What manifest lists and manifests tell: manifests, and the data and delete files in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from boathouse.catalog.planning.values import Value


class Content(IntEnum):
    DATA = 0
    POSITION_DELETES = 1
    EQUALITY_DELETES = 2


@dataclass(frozen=True)
class FieldSummary:
    """Of one partition field over all files of a manifest."""

    contains_null: bool
    contains_nan: bool | None
    lower: bytes | None
    upper: bytes | None


@dataclass(frozen=True)
class Manifest:
    path: str
    length: int
    spec_id: int
    deletes: bool = False
    sequence_number: int = 0
    added_snapshot_id: int | None = None
    live_files: int | None = None
    live_rows: int | None = None
    partitions: tuple[FieldSummary, ...] | None = None
    first_row_id: int | None = None


@dataclass(frozen=True)
class FileEntry:
    """A live data file or delete file."""

    content: Content
    path: str
    format: str
    spec_id: int
    partition: tuple[Value | None, ...]
    record_count: int
    size: int
    sequence_number: int
    added: bool
    snapshot_id: int | None
    column_sizes: Mapping[int, int] = field(default_factory=dict[int, int])
    value_counts: Mapping[int, int] = field(default_factory=dict[int, int])
    null_counts: Mapping[int, int] = field(default_factory=dict[int, int])
    nan_counts: Mapping[int, int] = field(default_factory=dict[int, int])
    lower_bounds: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    upper_bounds: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    first_row_id: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What is passed on as it is, under the manifest's names."""

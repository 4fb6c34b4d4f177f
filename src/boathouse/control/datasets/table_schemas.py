"""What is read of a dataset's table, as it is told. Ids of snapshots are text: JavaScript's numbers cannot hold them."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel


class ColumnTold(BaseModel):
    id: int
    name: str
    type: str
    required: bool
    doc: str | None


class SortFieldTold(BaseModel):
    by: str
    """A column, or a transform of one."""
    direction: str
    nulls: str


class RefTold(BaseModel):
    name: str
    type: str
    snapshot_id: str


class TableTold(BaseModel):
    name: str
    uuid: str
    location: str
    metadata_location: str | None
    format_version: int
    columns: list[ColumnTold]
    partitions: list[str]
    """Such as `day(ordered_at)`."""
    sort_order: list[SortFieldTold]
    properties: dict[str, str]
    refs: list[RefTold]
    current_snapshot_id: str | None
    snapshots: int
    schemas: int
    rows: int | None
    files: int | None
    bytes: int | None
    delete_files: int | None
    """As the summary of the current snapshot has them; None where its writer did not count."""
    committed_at: datetime | None
    seconds_since_commit: float | None


class ColumnChange(BaseModel):
    what: str
    """`added`, `removed` or `changed`."""
    column: str
    before: str | None = None
    after: str | None = None


class SchemaTold(BaseModel):
    id: int
    current: bool
    columns: list[ColumnTold]
    changes: list[ColumnChange]
    """Against the schema with the number before."""


class RunOfSnapshot(BaseModel):
    id: str
    job: str


class SnapshotTold(BaseModel):
    id: str
    parent_id: str | None
    at: datetime
    operation: str | None
    current: bool
    refs: list[str]
    schema_id: int | None
    added_rows: int
    deleted_rows: int
    added_files: int
    deleted_files: int
    total_rows: int | None
    total_files: int | None
    total_bytes: int | None
    run: RunOfSnapshot | None
    """The run of this workspace that wrote it."""


class FileTold(BaseModel):
    content: str
    path: str
    format: str
    rows: int
    bytes: int
    partition: dict[str, Any]


class SizeClass(BaseModel):
    """Files from so many bytes up to, and without, so many."""

    at_least: int
    below: int | None
    files: int
    bytes: int


class Sizes(BaseModel):
    """Of the data files of the current snapshot."""

    files: int
    bytes: int
    median: int | None
    small_below: int
    small_files: int
    small_share: float | None
    classes: list[SizeClass]
    complete: bool
    """False if the table has more files than are counted at once; then these are the first of them."""


class Verdict(StrEnum):
    FINE = "fine"
    ATTENTION = "attention"
    UNKNOWN = "unknown"


class Fact(BaseModel):
    name: str
    value: float | None
    verdict: Verdict
    because: str


class Health(BaseModel):
    facts: list[Fact]
    score: float | None = None
    """For maintenance to give; nobody does yet."""


class TableInNeed(BaseModel):
    name: str
    facts: list[Fact]
    """Those that speak for care."""
    unreadable: str | None = None
    """Why nothing is known of it."""


class TablesInNeed(BaseModel):
    items: list[TableInNeed]
    looked_at: int
    tables: int
    """How many there are; those written last are looked at."""

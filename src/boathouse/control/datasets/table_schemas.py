"""What is read of a dataset's table, as it is told. Ids of snapshots are text: JavaScript's numbers cannot hold them."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

SnapshotId = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,19}$")]
PrincipalName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$")]


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
    """`added`, `removed`, `renamed`, `widened` or `changed`."""
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
    ancestor: bool
    """Whether the current one goes back to it: only then can the table be rolled back to it."""
    schema_id: int | None
    added_rows: int
    deleted_rows: int
    added_files: int
    deleted_files: int
    added_delete_files: int
    total_rows: int | None
    total_files: int | None
    total_bytes: int | None
    engine: str | None
    """The program that wrote it, as it called itself."""
    run: RunOfSnapshot | None
    """The run of this workspace that wrote it."""


class CountChange(BaseModel):
    """As the summaries of two snapshots have it; None where their writer did not count."""

    before: int | None
    after: int | None


class FileTold(BaseModel):
    content: str
    path: str
    format: str
    rows: int
    bytes: int
    partition: dict[str, Any]


class FilesChanged(BaseModel):
    files: int
    rows: int
    bytes: int
    first: list[FileTold]
    """By path, and not more than a few hundred; the counts are of all."""


class SnapshotDiff(BaseModel):
    before: str
    after: str
    before_at: datetime
    after_at: datetime
    counts: dict[str, CountChange]
    """Of `rows`, `files`, `bytes` and `delete_files`."""
    added: FilesChanged
    removed: FilesChanged
    columns: list[ColumnChange]
    complete: bool
    """False if there are more files than are compared at once."""


class PartitionTold(BaseModel):
    label: str
    """Such as `day=2026-01-31, region=north`; empty for a table without partitions."""
    values: dict[str, Any]
    spec_id: int
    files: int
    small_files: int
    delete_files: int
    rows: int
    bytes: int


class Partitions(BaseModel):
    items: list[PartitionTold]
    next: str | None
    total: int
    """That are like what was asked for."""
    small_below: int
    complete: bool
    """False if the table has more files than are counted at once; then these are of the first of them."""


class TableRollBack(BaseModel):
    model_config = ConfigDict(extra="forbid")

    snapshot_id: SnapshotId
    seen: SnapshotId | None = Field(
        default=None,
        description="The current snapshot as the asker saw it: refused if the table has moved on. If left out, as it is now.",
    )


class RolledBack(BaseModel):
    snapshot_id: str
    before: str
    """The snapshot that was current until then. It stays, until it is expired."""
    changed: bool
    """False if the table was there already, as when a request is sent again."""


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


class Privilege(StrEnum):
    """As the catalog has them."""

    LIST = "list"
    READ = "read"
    WRITE = "write"
    CREATE = "create"
    MANAGE = "manage"


class GrantWanted(BaseModel):
    model_config = ConfigDict(extra="forbid")

    principal: PrincipalName
    privilege: Privilege


class GrantTold(BaseModel):
    principal: str
    privilege: str
    kind: str
    """What it was granted on: `table`, `namespace` or `warehouse`."""
    on: str
    inherited: bool
    """Whether it was granted on something that the table lies in."""


class GrantsTold(BaseModel):
    enforced: bool
    """False if the catalog takes one token for everything, and so asks for no grants."""
    grants: list[GrantTold]
    principals: list[str] | None
    """All there are, for who may grant; None for others."""


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

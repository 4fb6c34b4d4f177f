"""Datasets of a workspace, and what their tables are like."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from boathouse.client.answers import Answer, Json
from boathouse.client.transport import Transport, place


class Dataset(Answer):
    id: str
    name: str
    format: str
    location: str
    owner: str
    description: str
    tags: list[str]
    catalog: str | None
    columns: list[str]
    rows: int | None
    files: int | None
    bytes: int | None
    committed_at: datetime | None
    gone_at: datetime | None
    created_at: datetime
    updated_at: datetime


class LeftOut(Answer):
    name: str
    why: str


class Synced(Answer):
    found: int
    added: int
    changed: int
    renamed: int
    returned: int
    unchanged: int
    gone: int
    left_out: list[LeftOut]


class Column(Answer):
    id: int
    name: str
    type: str
    required: bool
    doc: str | None


class Table(Answer):
    name: str
    uuid: str
    location: str
    metadata_location: str | None
    format_version: int
    columns: list[Column]
    partitions: list[str]
    sort_order: list[Json]
    properties: dict[str, str]
    refs: list[Json]
    current_snapshot_id: str | None
    snapshots: int
    schemas: int
    rows: int | None
    files: int | None
    bytes: int | None
    delete_files: int | None
    committed_at: datetime | None
    seconds_since_commit: float | None


class Schema(Answer):
    id: int
    current: bool
    columns: list[Column]
    changes: list[Json]


class Snapshot(Answer):
    id: str
    parent_id: str | None
    at: datetime
    operation: str | None
    current: bool
    ancestor: bool
    refs: list[str]
    added_rows: int
    deleted_rows: int
    added_files: int
    deleted_files: int
    total_rows: int | None
    engine: str | None
    run: Json | None


class SnapshotDiff(Answer):
    before: str
    after: str
    counts: dict[str, Json]
    added: Json
    removed: Json
    columns: list[Json]
    complete: bool


class RolledBack(Answer):
    snapshot_id: str
    before: str
    changed: bool


class File(Answer):
    content: str
    path: str
    format: str
    rows: int
    bytes: int
    partition: Json


class Partition(Answer):
    label: str
    values: Json
    files: int
    small_files: int
    delete_files: int
    rows: int
    bytes: int


class Grant(Answer):
    principal: str
    privilege: str
    kind: str
    on: str
    inherited: bool


class Grants(Answer):
    enforced: bool
    grants: list[Grant]


class Sizes(Answer):
    files: int
    bytes: int
    median: int | None
    small_below: int
    small_files: int
    small_share: float | None
    classes: list[Json]
    complete: bool


class Fact(Answer):
    name: str
    value: float | None
    verdict: str
    because: str


class Health(Answer):
    facts: list[Fact]
    score: float | None


class DatasetChange(TypedDict, total=False):
    """What is left out stays as it is."""

    owner: str
    description: str
    tags: list[str]
    location: str


@dataclass(frozen=True)
class Datasets:
    transport: Transport

    def all(
        self, workspace: str, *, text: str | None = None, tag: str | None = None, owner: str | None = None
    ) -> Iterator[Dataset]:
        """By name; those in which each word of the text is somewhere."""
        return self.transport.pages(_place(workspace), Dataset, {"text": text, "tag": tag, "owner": owner})

    def get(self, workspace: str, name: str) -> Dataset:
        return self.transport.get(_place(workspace, name), Dataset)

    def register(
        self,
        workspace: str,
        name: str,
        *,
        form: str = "iceberg",
        connection: str | None = None,
        **more: Unpack[DatasetChange],
    ) -> Dataset:
        body = {"name": name, "format": form, "connection": connection, **more}
        return self.transport.ask("POST", _place(workspace), Dataset, body)

    def change(self, workspace: str, name: str, **changes: Unpack[DatasetChange]) -> Dataset:
        return self.transport.ask("PATCH", _place(workspace, name), Dataset, {**changes})

    def remove(self, workspace: str, name: str) -> None:
        """Forget it; its table stays."""
        self.transport.tell("DELETE", _place(workspace, name))

    def sync(self, workspace: str, *, connection: str | None = None) -> Synced:
        """Take up what the catalog has: a connection's, or the lakehouse's own."""
        return self.transport.ask("POST", _place(workspace, "sync"), Synced, {"connection": connection})

    def table(self, workspace: str, name: str) -> Table:
        return self.transport.get(_place(workspace, name, "table"), Table)

    def schemas(self, workspace: str, name: str) -> list[Schema]:
        return self.transport.get(_place(workspace, name, "schemas"), list[Schema])

    def snapshots(self, workspace: str, name: str) -> Iterator[Snapshot]:
        return self.transport.pages(_place(workspace, name, "snapshots"), Snapshot)

    def compare(self, workspace: str, name: str, before: str, after: str) -> SnapshotDiff:
        """What is different in one snapshot from another."""
        query = {"before": before, "after": after}
        return self.transport.get(_place(workspace, name, "snapshots", "diff"), SnapshotDiff, query)

    def roll_back(self, workspace: str, name: str, snapshot: str, *, seen: str | None = None) -> RolledBack:
        """Make an older snapshot the current one; refused if `seen` is no longer that."""
        body = {"snapshot_id": snapshot, "seen": seen}
        return self.transport.ask("POST", _place(workspace, name, "roll-back"), RolledBack, body)

    def files(self, workspace: str, name: str) -> Iterator[File]:
        return self.transport.pages(_place(workspace, name, "files"), File)

    def partitions(self, workspace: str, name: str, *, order: str = "-bytes") -> Iterator[Partition]:
        return self.transport.pages(_place(workspace, name, "partitions"), Partition, {"order": order})

    def grants(self, workspace: str, name: str) -> Grants:
        return self.transport.get(_place(workspace, name, "grants"), Grants)

    def grant(self, workspace: str, name: str, principal: str, privilege: str) -> None:
        body = {"principal": principal, "privilege": privilege}
        self.transport.tell("POST", _place(workspace, name, "grants"), body)

    def revoke(self, workspace: str, name: str, principal: str, privilege: str) -> None:
        query = {"principal": principal, "privilege": privilege}
        self.transport.tell("DELETE", _place(workspace, name, "grants"), query=query)

    def sizes(self, workspace: str, name: str) -> Sizes:
        return self.transport.get(_place(workspace, name, "sizes"), Sizes)

    def health(self, workspace: str, name: str) -> Health:
        return self.transport.get(_place(workspace, name, "health"), Health)


def _place(workspace: str, *parts: str) -> str:
    return place("workspaces", workspace, "datasets", *parts)

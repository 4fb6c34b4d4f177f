"""Changes to tables: one table's commit, or several tables' at one moment."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from boathouse.catalog.errors import BadRequest, CommitFailed
from boathouse.catalog.metadata import Json, asserts_create, change_table, check_requirements, create_table
from boathouse.catalog.names import TableName, namespace_key
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.commits import Commits, Plan
from boathouse.catalog.service.files import MetadataFiles, TableFile
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.places import Claim, Places
from boathouse.catalog.service.pointers import Pointer, Pointers
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.store import Absent, Comparison, Present, Write

_NO_CLAIM = Claim((), ())


@dataclass(frozen=True)
class TableChange:
    """One table's part: what must still hold, and what changes."""

    table: TableName
    requirements: Sequence[Json]
    updates: Sequence[Json]


@dataclass(frozen=True)
class _Step:
    """A change worked out against the table as it is now, before its new metadata file is written."""

    table: TableName
    base: TableFile | None
    metadata: Json | None
    """None when the updates change nothing."""
    comparisons: tuple[Comparison, ...]
    writes: tuple[Write, ...]


@dataclass(frozen=True)
class Changes:
    files: MetadataFiles
    pointers: Pointers
    places: Places
    namespaces: Namespaces
    commits: Commits
    warehouse: str

    async def commit(self, change: TableChange, ticket: Ticket | None) -> Answer:
        """Change one table, or create it, and answer with its new version."""

        async def planned() -> Plan:
            step = await self._step(change)
            return await self._written([step], None)

        return await self.commits.carry_out(planned, ticket)

    async def commit_all(self, changes: Sequence[TableChange], ticket: Ticket | None) -> Answer:
        """All the changes, or none of them."""
        tables = [change.table for change in changes]
        if len(set(tables)) != len(tables):
            raise BadRequest("Invalid transaction: a table is changed more than once")

        async def planned() -> Plan:
            # Every change is worked out before the first file is written: one that cannot be leaves nothing behind.
            steps = [await self._step(change) for change in changes]
            return await self._written(steps, DONE)

        return await self.commits.carry_out(planned, ticket)

    async def _step(self, change: TableChange) -> _Step:
        if asserts_create(change.requirements):
            return await self._creation(change)
        pointer = await self.pointers.get(change.table)
        base = await self.files.read(pointer.metadata_location)
        check_requirements(base.metadata, change.requirements)
        metadata = change_table(base.metadata, change.updates, base_location=base.location, now_ms=_now_ms())
        unchanged = (pointer.unchanged(),)
        if metadata is base.metadata:
            return _Step(change.table, base, None, unchanged, ())
        claim, moving = await self._move(change.table, pointer, metadata["location"])
        return _Step(change.table, base, metadata, (*unchanged, *claim.comparisons), (*moving, *claim.writes))

    async def _creation(self, change: TableChange) -> _Step:
        properties = await self.namespaces.properties(change.table.namespace)
        if await self.pointers.find(change.table) is not None:
            raise CommitFailed("Requirement failed: table already exists")
        location = await self.places.default(change.table, properties)
        metadata = create_table(change.updates, uuid=str(uuid4()), default_location=location, now_ms=_now_ms())
        claim = await self.places.claim(metadata["location"], change.table)
        namespace = namespace_key(self.warehouse, change.table.namespace)
        free = (Absent(self.pointers.key(change.table)), Present(namespace))
        return _Step(change.table, None, metadata, (*free, *claim.comparisons), claim.writes)

    async def _move(self, table: TableName, pointer: Pointer, location: str) -> tuple[Claim, tuple[Write, ...]]:
        if location == pointer.location:
            return _NO_CLAIM, ()
        claim = await self.places.claim(location, table, leaving=pointer.location)
        return claim, (self.places.release(pointer.location),)

    async def _written(self, steps: Sequence[_Step], answer: Answer | None) -> Plan:
        """The plan, once every step's metadata file is written. `answer` is None for a single table's own."""
        written: list[TableFile] = []
        writes: list[Write] = []
        comparisons = [comparison for step in steps for comparison in step.comparisons]
        table: TableFile | None = None
        try:
            for step in steps:
                table = step.base
                if step.metadata is not None:
                    table = await self.files.write(step.metadata, step.base.location if step.base else None)
                    written.append(table)
                    writes += [*step.writes, self.pointers.put(step.table, table)]
        except BaseException:
            await self.files.delete(file.location for file in written)
            raise
        locations = tuple(file.location for file in written)
        return Plan(answer or Answer(200, table=table), tuple(comparisons), tuple(writes), locations)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000

"""Changes to tables and views: the commit of one, or those of several tables at one moment."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from uuid import uuid4

from boathouse.catalog.errors import BadRequest, CommitFailed, IllegalArgument
from boathouse.catalog.metadata import Json, asserts_create, create_table, outdated_files
from boathouse.catalog.names import TableName
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Commits, Plan
from boathouse.catalog.service.files import MetadataFile, MetadataFiles
from boathouse.catalog.service.kinds import TABLE
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.places import NO_CLAIM, Claim, Claimant, Places
from boathouse.catalog.service.pointers import Pointers
from boathouse.catalog.service.relations import now_ms
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.turns import Turns
from boathouse.catalog.store import Comparison, Write


@dataclass(frozen=True)
class Change:
    """The part of one table or view: what must still hold, and what changes."""

    name: TableName
    requirements: Sequence[Json]
    updates: Sequence[Json]


@dataclass(frozen=True)
class _Step:
    """A change worked out against the version that is current now, before the new metadata file is written."""

    name: TableName
    base: MetadataFile | None
    metadata: Json | None
    """None when the updates change nothing."""
    comparisons: tuple[Comparison, ...]
    claim: Claim = NO_CLAIM

    def outdated(self) -> list[str]:
        return outdated_files(self.base.metadata, self.metadata) if self.base and self.metadata else []


@dataclass(frozen=True)
class Changes:
    """Those of one kind, which the pointers know."""

    files: MetadataFiles
    pointers: Pointers
    places: Places
    namespaces: Namespaces
    commits: Commits
    turns: Turns = field(default_factory=Turns)

    async def commit(self, change: Change, asker: Asker, ticket: Ticket | None) -> Answer:
        """Change a table or view, or create a table, and answer with its new version."""

        async def planned() -> Plan:
            step = await self._step(change, asker)
            return await self._written([step], None)

        async with self.turns.of([change.name]):
            return await self.commits.carry_out(planned, ticket)

    async def commit_all(self, changes: Sequence[Change], asker: Asker, ticket: Ticket | None) -> Answer:
        """All the changes, or none of them."""
        names = [change.name for change in changes]
        if len(set(names)) != len(names):
            raise BadRequest("Invalid transaction: a table is changed more than once")

        async def planned() -> Plan:
            # Every change is worked out before the first file is written: one that cannot be leaves nothing behind.
            steps = [await self._step(change, asker) for change in changes]
            _refuse_overlaps(steps)
            return await self._written(steps, DONE)

        async with self.turns.of(names):
            return await self.commits.carry_out(planned, ticket)

    async def _step(self, change: Change, asker: Asker) -> _Step:
        kind = self.pointers.kind
        claimant = Claimant(kind, change.name, asker)
        if kind is TABLE and asserts_create(change.requirements):
            return await self._creation(change, claimant)
        pointer = await self.pointers.get(change.name)
        base = await self.files.read(pointer.metadata_location)
        kind.check(base.metadata, change.requirements)
        metadata = kind.change(base, change.updates, now_ms())
        unchanged = (pointer.unchanged(),)
        if metadata is base.metadata:
            return _Step(change.name, base, None, unchanged)
        claim = await self.places.claim(metadata, claimant, held=pointer.held, before=base.metadata)
        return _Step(change.name, base, metadata, (*unchanged, *claim.comparisons), claim)

    async def _creation(self, change: Change, claimant: Claimant) -> _Step:
        properties = await self.namespaces.properties(change.name.namespace)
        await self._check_absent(change.name)
        location = await self.places.default(change.name, properties)
        metadata = create_table(change.updates, uuid=str(uuid4()), default_location=location, now_ms=now_ms())
        try:
            claim = await self.places.claim(metadata, claimant)
        except IllegalArgument:
            # Whoever took the name meanwhile took its place too: then the name is what is taken.
            await self._check_absent(change.name)
            raise
        free = self.pointers.still_free(change.name)
        return _Step(change.name, None, metadata, (*free, *claim.comparisons), claim)

    async def _check_absent(self, name: TableName) -> None:
        if await self.pointers.find(name) is not None:
            raise CommitFailed("Requirement failed: table already exists")
        await self.pointers.check_free(name)

    async def _written(self, steps: Sequence[_Step], answer: Answer | None) -> Plan:
        """The plan, once every step's metadata file is written. `answer` is None for a single one's own."""
        written: list[MetadataFile] = []
        writes: list[Write] = []
        comparisons = [comparison for step in steps for comparison in step.comparisons]
        version: MetadataFile | None = None
        try:
            for step in steps:
                version = step.base
                if step.metadata is not None:
                    version = await self.files.write(step.metadata, step.base.location if step.base else None)
                    written.append(version)
                    writes += [*step.claim.writes, self.pointers.put(step.name, version, step.claim.places)]
        except BaseException:
            await self.files.delete(file.location for file in written)
            raise
        locations = tuple(file.location for file in written)
        outdated = tuple(file for step in steps for file in step.outdated())
        told = answer or Answer(200, version=version, pointer=self.pointers.key(steps[0].name))
        return Plan(told, tuple(comparisons), tuple(writes), locations, outdated)


def _refuse_overlaps(steps: Sequence[_Step]) -> None:
    """Each place was claimed as if the transaction claimed no other."""
    claimed = sorted(write.key for step in steps for write in step.claim.writes)
    if any(inner.startswith(outer) for outer, inner in pairwise(claimed)):
        raise IllegalArgument("Invalid transaction: the locations of two of its tables overlap")

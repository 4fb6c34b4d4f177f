"""What tables and views have in common: they are found, registered, renamed and dropped alike."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from boathouse.catalog.errors import AlreadyExists, BadRequest, IllegalArgument, NoSuchFile
from boathouse.catalog.metadata import Json, is_view, uuid_of
from boathouse.catalog.names import Namespace, TableName
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Commits, Plan
from boathouse.catalog.service.files import MetadataFile, MetadataFiles
from boathouse.catalog.service.kinds import VIEW, Kind
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.pages import Page, page_of
from boathouse.catalog.service.places import Claim, Claimant, Places
from boathouse.catalog.service.pointers import Pointer, Pointers
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.store import Delete, Store, Write
from boathouse.kit.objects import path_below


@dataclass(frozen=True)
class Relations:
    """All tables of a warehouse, or all views: which, the pointers know."""

    store: Store
    files: MetadataFiles
    pointers: Pointers
    places: Places
    namespaces: Namespaces
    commits: Commits
    warehouse: str

    @property
    def kind(self) -> Kind:
        return self.pointers.kind

    async def list(
        self, namespace: Namespace, page: Page, shown: Callable[[str], bool] | None = None
    ) -> tuple[list[str], str | None]:
        """Their names in the namespace (those that are to be shown, if not all), and where the next page begins."""
        await self.namespaces.properties(namespace)
        return await page_of(self.store, self.kind.prefix(self.warehouse, namespace), page, shown)

    async def load(self, name: TableName) -> MetadataFile:
        return await self.pointers.load(name)

    async def check_exists(self, name: TableName) -> None:
        await self.pointers.get(name)

    async def register(
        self, name: TableName, metadata_location: str, asker: Asker, ticket: Ticket | None, *, overwrite: bool = False
    ) -> Answer:
        """Take up what somebody else wrote a metadata file for."""
        claimant = Claimant(self.kind, name, asker)

        async def planned() -> Plan:
            await self.namespaces.properties(name.namespace)
            pointer = await self.pointers.find(name) if overwrite else None
            if pointer is None:
                await self.pointers.check_free(name)
            if pointer is None or path_below(pointer.location, metadata_location) is None:
                await self.places.check_reach(metadata_location, claimant)
            file = await self._of_kind(metadata_location)
            self.kind.check_registered(file.metadata)
            if pointer is None:
                return self._new(name, file, await self._claim(claimant, file.metadata))
            return await self._replacing(claimant, pointer, file)

        return await self.commits.carry_out(planned, ticket)

    async def rename(self, source: TableName, target: TableName, ticket: Ticket | None) -> Answer:
        async def planned() -> Plan:
            pointer = await self.pointers.get(source)
            await self.namespaces.properties(target.namespace)
            if source == target:
                return Plan(DONE)
            holder = await self.pointers.holder(target)
            if holder is not None:
                raise AlreadyExists(f"Cannot rename {source} to {target}. {holder.title} already exists")
            moved = self.pointers.put_at(target, pointer.metadata_location, pointer.location, pointer.places)
            writes = (Delete(pointer.key), moved, *self.places.reassign(pointer.held, self.kind.owner(target)))
            return Plan(DONE, (pointer.unchanged(), *self.pointers.still_free(target)), writes)

        return await self.commits.carry_out(planned, ticket)

    async def drop(self, name: TableName, ticket: Ticket | None) -> Answer:
        """Forget it. Its files stay, and may be registered again."""

        async def planned() -> Plan:
            pointer = await self.pointers.get(name)
            return self._without(pointer, *self.places.release(pointer.held))

        return await self.commits.carry_out(planned, ticket)

    async def _created(self, claimant: Claimant, metadata: Json) -> Plan:
        claim = await self._claim(claimant, metadata)
        file = await self.files.write(metadata, None)
        return self._new(claimant.name, file, claim, files=(file.location,))

    async def _claim(self, claimant: Claimant, metadata: Json) -> Claim:
        """A place for a new one. Whoever took the name meanwhile took its place too: then the name is what is taken."""
        try:
            return await self.places.claim(metadata, claimant)
        except IllegalArgument:
            await self.pointers.check_free(claimant.name)
            raise

    async def _of_kind(self, metadata_location: str) -> MetadataFile:
        file = await self.files.read(metadata_location)
        if is_view(file.metadata) != (self.kind is VIEW):
            raise BadRequest(f"Cannot register {metadata_location}: it is not the metadata of a {self.kind.word}")
        return file

    def _without(self, pointer: Pointer, *ending: Write) -> Plan:
        return Plan(DONE, (pointer.unchanged(),), (Delete(pointer.key), *ending))

    def _new(self, name: TableName, file: MetadataFile, claim: Claim, files: tuple[str, ...] = ()) -> Plan:
        writes = (self.pointers.put(name, file, claim.places), *claim.writes)
        comparisons = (*self.pointers.still_free(name), *claim.comparisons)
        return Plan(self._answer(name, file), comparisons, writes, files)

    async def _replacing(self, claimant: Claimant, pointer: Pointer, file: MetadataFile) -> Plan:
        """An older or newer version of the same keeps what it holds; another leaves its places as a drop would."""
        claim = await self.places.claim(file.metadata, claimant, held=pointer.held)
        left = () if await self._is_same(pointer, file) else self.places.left(pointer.held, file.metadata)
        places = tuple(place for place in claim.places if place not in left)
        writes = (*self.places.release(left), self.pointers.put(claimant.name, file, places), *claim.writes)
        return Plan(self._answer(claimant.name, file), (pointer.unchanged(), *claim.comparisons), writes)

    async def _is_same(self, pointer: Pointer, file: MetadataFile) -> bool:
        try:
            before = await self.files.read(pointer.metadata_location)
        except (NoSuchFile, BadRequest):
            return True  # nobody can tell any more, so nothing is given away
        return uuid_of(before.metadata) == uuid_of(file.metadata)

    def _answer(self, name: TableName, file: MetadataFile) -> Answer:
        return Answer(200, version=file, pointer=self.pointers.key(name))


def now_ms() -> int:
    return time.time_ns() // 1_000_000

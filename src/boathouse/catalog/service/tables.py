"""Tables: created, registered, found, renamed and dropped. How they change is in `changes`."""

import time
from dataclasses import dataclass, field
from uuid import uuid4

from boathouse.catalog.errors import AlreadyExists, IllegalArgument
from boathouse.catalog.metadata import Json, new_table
from boathouse.catalog.names import Namespace, TableName, namespace_key, tables_prefix
from boathouse.catalog.service.answers import DONE, Answer
from boathouse.catalog.service.commits import Commits, Plan
from boathouse.catalog.service.files import MetadataFiles, TableFile
from boathouse.catalog.service.namespaces import Namespaces
from boathouse.catalog.service.pages import Page, page_of
from boathouse.catalog.service.places import Claim, Places
from boathouse.catalog.service.pointers import Pointer, Pointers
from boathouse.catalog.service.purging import Purging
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.store import Absent, Comparison, Delete, Present, Store


@dataclass(frozen=True)
class NewTable:
    """A request to create a table."""

    name: TableName
    schema: Json
    location: str | None = None
    partition_spec: Json | None = None
    write_order: Json | None = None
    properties: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Tables:
    store: Store
    files: MetadataFiles
    pointers: Pointers
    places: Places
    namespaces: Namespaces
    commits: Commits
    purging: Purging
    warehouse: str

    async def list(self, namespace: Namespace, page: Page) -> tuple[list[TableName], str | None]:
        await self.namespaces.properties(namespace)
        names, following = await page_of(self.store, tables_prefix(self.warehouse, namespace), page)
        return [TableName(namespace, name) for name in names], following

    async def load(self, table: TableName) -> TableFile:
        return await self.pointers.load(table)

    async def check_exists(self, table: TableName) -> None:
        await self.pointers.get(table)

    async def stage(self, request: NewTable) -> Json:
        """The metadata the table would have. Nothing is kept: the transaction that creates it brings all of it."""
        await self._check_free(request.name)
        metadata = await self._metadata(request)
        await self.places.claim(metadata["location"], request.name)
        return metadata

    async def create(self, request: NewTable, ticket: Ticket | None) -> Answer:
        async def planned() -> Plan:
            await self._check_free(request.name)
            metadata = await self._metadata(request)
            claim = await self.places.claim(metadata["location"], request.name)
            file = await self.files.write(metadata, None)
            return self._new(request.name, file, claim, files=(file.location,))

        return await self.commits.carry_out(planned, ticket)

    async def register(
        self, table: TableName, metadata_location: str, ticket: Ticket | None, *, overwrite: bool = False
    ) -> Answer:
        """Take up a table whose metadata file somebody else wrote."""

        async def planned() -> Plan:
            await self.namespaces.properties(table.namespace)
            pointer = await self.pointers.find(table)
            if pointer is not None and not overwrite:
                raise AlreadyExists(f"Table already exists: {table}")
            file = await self.files.read(metadata_location)
            leaving = pointer.location if pointer else None
            claim = await self.places.claim(file.metadata["location"], table, leaving=leaving)
            return self._replacing(table, pointer, file, claim) if pointer else self._new(table, file, claim)

        return await self.commits.carry_out(planned, ticket)

    async def rename(self, source: TableName, target: TableName, ticket: Ticket | None) -> Answer:
        async def planned() -> Plan:
            pointer = await self.pointers.get(source)
            await self.namespaces.properties(target.namespace)
            if source == target:
                return Plan(DONE)
            if await self.pointers.find(target) is not None:
                raise AlreadyExists(f"Cannot rename {source} to {target}. Table already exists")
            moved = self.pointers.put_at(target, pointer.metadata_location, pointer.location)
            writes = (Delete(pointer.key), moved, self.places.reassign(pointer.location, target))
            return Plan(DONE, (pointer.unchanged(), *self._may_appear(target)), writes)

        return await self.commits.carry_out(planned, ticket)

    async def drop(self, table: TableName, ticket: Ticket | None, *, purge: bool = False) -> Answer:
        """Forget the table; with `purge` also delete its files, in the background."""

        async def planned() -> Plan:
            pointer = await self.pointers.get(table)
            if purge:
                await self._check_purgeable(pointer)
                ending = self.purging.writes(pointer.location)
            else:
                ending = (self.places.release(pointer.location),)
            return Plan(DONE, (pointer.unchanged(),), (Delete(pointer.key), *ending))

        answer = await self.commits.carry_out(planned, ticket)
        if purge:
            self.purging.start()
        return answer

    async def _metadata(self, request: NewTable) -> Json:
        properties = await self.namespaces.properties(request.name.namespace)
        location = request.location or await self.places.default(request.name, properties)
        return new_table(
            uuid=str(uuid4()),
            location=location.rstrip("/"),
            schema=request.schema,
            partition_spec=request.partition_spec,
            write_order=request.write_order,
            properties=request.properties,
            now_ms=time.time_ns() // 1_000_000,
        )

    async def _check_free(self, table: TableName) -> None:
        await self.namespaces.properties(table.namespace)
        if await self.pointers.find(table) is not None:
            raise AlreadyExists(f"Table already exists: {table}")

    async def _check_purgeable(self, pointer: Pointer) -> None:
        file = await self.files.read(pointer.metadata_location)
        if file.metadata["properties"].get("gc.enabled", "true").lower() == "false":
            raise IllegalArgument("Cannot purge table: GC is disabled (deleting files may corrupt other tables)")

    def _may_appear(self, table: TableName) -> tuple[Comparison, ...]:
        return Absent(self.pointers.key(table)), Present(namespace_key(self.warehouse, table.namespace))

    def _new(self, table: TableName, file: TableFile, claim: Claim, files: tuple[str, ...] = ()) -> Plan:
        writes = (self.pointers.put(table, file), *claim.writes)
        return Plan(Answer(200, table=file), (*self._may_appear(table), *claim.comparisons), writes, files)

    def _replacing(self, table: TableName, pointer: Pointer, file: TableFile, claim: Claim) -> Plan:
        writes = (self.places.release(pointer.location), self.pointers.put(table, file), *claim.writes)
        return Plan(Answer(200, table=file), (pointer.unchanged(), *claim.comparisons), writes)

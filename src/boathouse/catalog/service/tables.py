"""Tables: created, staged and purged here. What they share with views is in `relations`, how they change in `changes`."""

from dataclasses import dataclass, field
from uuid import uuid4

from boathouse.catalog.errors import IllegalArgument
from boathouse.catalog.metadata import Json, new_table
from boathouse.catalog.names import TableName
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Plan
from boathouse.catalog.service.kinds import TABLE
from boathouse.catalog.service.places import Claimant
from boathouse.catalog.service.pointers import Pointer
from boathouse.catalog.service.purging import Purging
from boathouse.catalog.service.relations import Relations, now_ms
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.store import Delete


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
class Tables(Relations):
    purging: Purging

    async def stage(self, request: NewTable, asker: Asker, ticket: Ticket | None) -> Answer:
        """The metadata the table would have. Nothing is kept but what a repeat is told: the transaction that creates it brings it all."""

        async def planned() -> Plan:
            metadata = await self._metadata(request)
            await self._claim(Claimant(TABLE, request.name, asker), metadata)
            return Plan(Answer(200, {"metadata": metadata, "config": {}}))

        return await self.commits.carry_out(planned, ticket)

    async def create(self, request: NewTable, asker: Asker, ticket: Ticket | None) -> Answer:
        async def planned() -> Plan:
            return await self._created(Claimant(TABLE, request.name, asker), await self._metadata(request))

        return await self.commits.carry_out(planned, ticket)

    async def unregister(self, table: TableName, ticket: Ticket | None) -> Answer:
        """Forget the table, leave its files, and say which version was the last."""

        async def planned() -> Plan:
            pointer = await self.pointers.get(table)
            last = await self.files.read(pointer.metadata_location)
            forgotten = (Delete(pointer.key), *self.places.release(pointer.held))
            return Plan(Answer(200, version=last), (pointer.unchanged(),), forgotten)

        return await self.commits.carry_out(planned, ticket)

    async def purge(self, table: TableName, ticket: Ticket | None) -> Answer:
        """Forget the table, and delete its files in the background."""

        async def planned() -> Plan:
            pointer = await self.pointers.get(table)
            await self._check_purgeable(pointer)
            return self._without(pointer, *self.purging.writes(*self.places.outermost(pointer.held)))

        answer = await self.commits.carry_out(planned, ticket)
        self.purging.start()
        return answer

    async def _metadata(self, request: NewTable) -> Json:
        properties = await self.namespaces.properties(request.name.namespace)
        await self.pointers.check_free(request.name)
        location = request.location or await self.places.default(request.name, properties)
        return new_table(
            uuid=str(uuid4()),
            location=location.rstrip("/"),
            schema=request.schema,
            partition_spec=request.partition_spec,
            write_order=request.write_order,
            properties=request.properties,
            now_ms=now_ms(),
        )

    async def _check_purgeable(self, pointer: Pointer) -> None:
        file = await self.files.read(pointer.metadata_location)
        if file.metadata["properties"].get("gc.enabled", "true").lower() == "false":
            raise IllegalArgument("Cannot purge table: GC is disabled (deleting files may corrupt other tables)")

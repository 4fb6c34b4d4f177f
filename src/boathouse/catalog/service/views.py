"""Views: created here, found, registered, renamed and dropped as tables are. How they change is in `changes`."""

from dataclasses import dataclass, field
from uuid import uuid4

from boathouse.catalog.metadata import Json, new_view
from boathouse.catalog.names import TableName
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.asker import Asker
from boathouse.catalog.service.commits import Plan
from boathouse.catalog.service.kinds import VIEW
from boathouse.catalog.service.places import Claimant
from boathouse.catalog.service.relations import Relations, now_ms
from boathouse.catalog.service.repeats import Ticket


@dataclass(frozen=True)
class NewView:
    """A request to create a view."""

    name: TableName
    schema: Json
    version: Json
    location: str | None = None
    properties: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Views(Relations):
    async def create(self, request: NewView, asker: Asker, ticket: Ticket | None) -> Answer:
        async def planned() -> Plan:
            namespace_properties = await self.namespaces.properties(request.name.namespace)
            await self.pointers.check_free(request.name)
            location = request.location or await self.places.default(request.name, namespace_properties)
            metadata = new_view(
                uuid=str(uuid4()),
                location=location.rstrip("/"),
                schema=request.schema,
                version=request.version,
                properties=request.properties,
                now_ms=now_ms(),
            )
            return await self._created(Claimant(VIEW, request.name, asker), metadata)

        return await self.commits.carry_out(planned, ticket)

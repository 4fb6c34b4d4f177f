"""Transactions over several tables."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.requests import catalog_of, parse
from boathouse.catalog.api.responses import changed_once
from boathouse.catalog.api.tables import change_from, table_from
from boathouse.catalog.metadata.fields import an_object, objects
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket


async def commit_transaction(request: Request) -> Response:
    async def commit(body: bytes, ticket: Ticket | None) -> Answer:
        asked = objects(parse(body), "table-changes")
        changes = [change_from(change, table_from(an_object(change, "identifier"))) for change in asked]
        request.state.table = ",".join(str(change.table) for change in changes)
        return await catalog_of(request).changes.commit_all(changes, ticket)

    return await changed_once(request, commit)


ROUTES = [Route("/v1/{prefix}/transactions/commit", commit_transaction, methods=["POST"])]

"""Transactions over several tables."""

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.api.bodies import changes_from
from boathouse.catalog.api.operations import Operation, asker_of
from boathouse.catalog.api.requests import catalog_of, note, parse
from boathouse.catalog.api.requirements import COMMITTING_ALL
from boathouse.catalog.api.responses import changed_once
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket


async def commit_transaction(request: Request) -> Response:
    async def commit(body: bytes, ticket: Ticket | None) -> Answer:
        changes = changes_from(parse(body))
        note(request, "table", ",".join(str(change.name) for change in changes))
        return await catalog_of(request).changes.commit_all(changes, asker_of(request), ticket)

    return await changed_once(request, commit)


ROUTES = [Operation("POST", "/v1/{prefix}/transactions/commit", commit_transaction, COMMITTING_ALL)]

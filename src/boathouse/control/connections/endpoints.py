"""What can be asked about connections."""

from typing import Annotated, Any

from fastapi import Depends, Request, Response

from boathouse.control.access.dependencies import Caller, EditorOfWorkspace, ViewerOfWorkspace
from boathouse.control.connections import repository, service
from boathouse.control.connections.schemas import ConnectionChange, ConnectionTold, KindTold, NewConnection
from boathouse.control.connections.service import Connections
from boathouse.control.connections.steps import Tested
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import FetchRoute, Keeping, Noted, OutwardRoute, Work, WorkRoute
from boathouse.control.jobs.connections import refuse_if_needed
from boathouse.control.notifications import service as notifications

router = api_router("connections", WorkRoute)
outward = api_router("connections", OutwardRoute)
testing = api_router("connections", FetchRoute)
ALL = "/workspaces/{workspace}/connections"
ONE = ALL + "/{name}"


async def _connections(request: Request) -> Connections:
    return request.app.state.connections


Service = Annotated[Connections, Depends(_connections)]


@router.get("/connection-kinds", name="connection.kinds")
async def kinds(_caller: Caller) -> list[KindTold]:
    return service.kinds_told()


@router.get(ALL, name="connection.list")
async def find(work: Work, scope: ViewerOfWorkspace, cursor: Cursor = None, limit: Limit = 100) -> Page[ConnectionTold]:
    found = await repository.find(work, scope, after=cursor, limit=limit + 1)
    items = [service.told(connection, scope) for connection in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.post(ALL, name="connection.create", status_code=201)
async def create(
    work: Work, scope: EditorOfWorkspace, connections: Service, wanted: NewConnection, note: Noted
) -> ConnectionTold:
    note.target, note.details = f"connection {wanted.name}", {"kind": wanted.kind, "secrets": sorted(wanted.secrets)}
    return service.told(await connections.create(work, scope, wanted), scope)


@router.get(ONE, name="connection.get")
async def get(work: Work, scope: ViewerOfWorkspace, connections: Service, name: str) -> ConnectionTold:
    return service.told(await connections.get(work, scope, name), scope)


@router.patch(ONE, name="connection.change")
async def change(
    work: Work, scope: EditorOfWorkspace, connections: Service, name: str, wanted: ConnectionChange, *, note: Noted
) -> ConnectionTold:
    note.target, note.details = f"connection {name}", {"fields": sorted(wanted.model_fields_set)}
    return service.told(await connections.change(work, scope, name, wanted), scope)


@router.delete(ONE, name="connection.remove", status_code=204)
async def remove(work: Work, scope: EditorOfWorkspace, connections: Service, name: str, note: Noted) -> Response:
    note.target = f"connection {name}"
    await notifications.refuse_if_used(work, scope, name)
    await refuse_if_needed(work, scope, name)
    await connections.remove(work, scope, name)
    return Response(status_code=204)


@testing.post(ONE + "/test", name="connection.test")
async def try_saved(
    work: Work,
    scope: EditorOfWorkspace,
    connections: Service,
    name: str,
    keeping: Keeping,
    *,
    wanted: ConnectionChange | None = None,
    note: Noted,
) -> Tested:
    """Connect, and say how far it came. With a change: as it would be with that, which is not kept, nor is how it went."""
    note.target = f"connection {name}"
    connection = await connections.get(work, scope, name)
    # It may take its time, in which others can use our connection to the database.
    await work.close()
    tested = await connections.test(connections.as_changed(scope, connection, wanted) if wanted else connection)
    note.details = _outcome(tested) | ({"fields": sorted(wanted.model_fields_set)} if wanted else {})
    async with keeping() as session:
        if wanted is None:
            await connections.keep_test(session, scope, connection, tested)
    return tested


@outward.post("/workspaces/{workspace}/connection-tests", name="connection.try")
async def try_unsaved(scope: EditorOfWorkspace, connections: Service, wanted: NewConnection, note: Noted) -> Tested:
    """Connect as a connection would that is not made yet, and say how far it came."""
    note.target, note.details = f"connection {wanted.name}", {"kind": wanted.kind}
    tested = await connections.test(connections.made(scope, wanted))
    note.details |= _outcome(tested)
    return tested


def _outcome(tested: Tested) -> dict[str, Any]:
    return {"ok": tested.ok, "failed": [step.name for step in tested.steps if not step.ok]}

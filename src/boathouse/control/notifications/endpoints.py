"""What can be asked about notifications."""

from typing import Annotated

from fastapi import Depends, Request, Response

from boathouse.control.access.dependencies import EditorOfWorkspace, ViewerOfWorkspace
from boathouse.control.connections.service import Connections
from boathouse.control.connections.steps import Tested
from boathouse.control.http.paging import Cursor, IdCursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, OutwardRoute, Work, WorkRoute
from boathouse.control.notifications import repository, sending, service
from boathouse.control.notifications.schemas import DeliveryTold, NewRule, RuleChange, RuleTold

router = api_router("notifications", WorkRoute)
outward = api_router("notifications", OutwardRoute)
ALL = "/workspaces/{workspace}/notifications"
ONE = ALL + "/{name}"


async def _connections(request: Request) -> Connections:
    return request.app.state.connections


@router.get(ALL, name="notification.list")
async def find(work: Work, scope: ViewerOfWorkspace, cursor: Cursor = None, limit: Limit = 100) -> Page[RuleTold]:
    found = await repository.find(work, scope, after=cursor, limit=limit + 1)
    items = [service.told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].name if len(found) > limit else None)


@router.post(ALL, name="notification.create", status_code=201)
async def create(work: Work, scope: EditorOfWorkspace, wanted: NewRule, note: Noted) -> RuleTold:
    note.target, note.details = f"notification {wanted.name}", wanted.model_dump(mode="json", exclude={"name"})
    return await service.create(work, scope, wanted)


@router.get(ONE, name="notification.get")
async def get(work: Work, scope: ViewerOfWorkspace, name: str) -> RuleTold:
    return service.told(await service.get(work, scope, name))


@router.patch(ONE, name="notification.change")
async def change(work: Work, scope: EditorOfWorkspace, name: str, wanted: RuleChange, note: Noted) -> RuleTold:
    note.target, note.details = f"notification {name}", wanted.model_dump(mode="json", exclude_unset=True)
    return await service.change(work, scope, name, wanted)


@router.delete(ONE, name="notification.remove", status_code=204)
async def remove(work: Work, scope: EditorOfWorkspace, name: str, note: Noted) -> Response:
    """With the list of what it sent."""
    note.target = f"notification {name}"
    await service.remove(work, scope, name)
    return Response(status_code=204)


@router.get(ONE + "/deliveries", name="notification.deliveries")
async def deliveries(
    work: Work, scope: ViewerOfWorkspace, name: str, cursor: IdCursor = None, limit: Limit = 100
) -> Page[DeliveryTold]:
    """What it sent and what it is still to send, the newest first."""
    rule, _ = await service.get(work, scope, name)
    found = await repository.deliveries(work, rule.id, before=cursor, limit=limit + 1)
    items = [service.delivery_told(one) for one in found[:limit]]
    return Page(items=items, next=items[-1].id if len(found) > limit else None)


@outward.post(ONE + "/test", name="notification.test")
async def test(
    work: Work,
    scope: EditorOfWorkspace,
    name: str,
    connections: Annotated[Connections, Depends(_connections)],
    note: Noted,
) -> Tested:
    """Send one now, and say how far it came."""
    note.target = f"notification {name}"
    rule, connection = await service.get(work, scope, name)
    tested = await sending.send_test(connections, rule, connection, scope.workspace)
    note.details = {"ok": tested.ok, "failed": [step.name for step in tested.steps if not step.ok]}
    return tested

"""What can be asked of the audit: all of it by a platform admin, a workspace's by its admins."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from boathouse.control.access.dependencies import AdminOfWorkspace, PlatformAdmin
from boathouse.control.audit import chain, repository
from boathouse.control.audit.repository import Wanted
from boathouse.control.audit.schemas import AuditLine, Verified
from boathouse.control.database import Database
from boathouse.control.http.paging import Limit, Page
from boathouse.control.http.work import Work, WorkRoute

router = APIRouter(tags=["audit"], route_class=WorkRoute)
Before = Annotated[int | None, Query(ge=1, alias="cursor", description="`next` of the page before.")]
Text = Annotated[str | None, Query(max_length=100)]
_PAGE = 500


@router.get("/audit", name="audit.list")
async def find(
    work: Work,
    _admin: PlatformAdmin,
    *,
    user: Text = None,
    action: Text = None,
    result: Text = None,
    since: datetime | None = None,
    until: datetime | None = None,
    cursor: Before = None,
    limit: Limit = 100,
) -> Page[AuditLine]:
    wanted = Wanted(user=user, action=action, result=result, since=since, until=until)
    return await _page(work, wanted, cursor, limit)


@router.get("/audit/export", name="audit.export", response_class=StreamingResponse)
async def export(request: Request, _admin: PlatformAdmin) -> StreamingResponse:
    """Every entry, the newest first, as JSON lines."""
    return StreamingResponse(_lines(request.app.state.database), media_type="application/x-ndjson")


@router.get("/audit/verify", name="audit.verify")
async def verify(work: Work, _admin: PlatformAdmin) -> Verified:
    fault = await chain.verify(work)
    if fault is None:
        return Verified(holds=True)
    return Verified(holds=False, entries_from=fault.number, reason=fault.reason)


@router.get("/workspaces/{workspace}/audit", name="audit.list-of-workspace")
async def find_in_workspace(
    work: Work, scope: AdminOfWorkspace, *, action: Text = None, cursor: Before = None, limit: Limit = 100
) -> Page[AuditLine]:
    return await _page(work, Wanted(workspace_id=scope.workspace_id, action=action), cursor, limit)


async def _page(work: Work, wanted: Wanted, before: int | None, limit: int) -> Page[AuditLine]:
    found = await repository.find(work, wanted, before=before, limit=limit + 1)
    items = [AuditLine.model_validate(entry) for entry in found[:limit]]
    return Page(items=items, next=str(items[-1].number) if len(found) > limit else None)


async def _lines(database: Database) -> AsyncIterator[bytes]:
    before: int | None = None
    while True:
        async with database.reading() as session:
            found = await repository.find(session, Wanted(), before=before, limit=_PAGE)
        for entry in found:
            yield AuditLine.model_validate(entry).model_dump_json().encode() + b"\n"
        if len(found) < _PAGE:
            return
        before = found[-1].number

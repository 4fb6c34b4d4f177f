"""What can be asked of the audit: all of it by a platform admin, a workspace's by its admins."""

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.responses import StreamingResponse

from boathouse.control.access.dependencies import AdminOfWorkspace, PlatformAdmin
from boathouse.control.audit import chain, repository
from boathouse.control.audit.export import Format, exported
from boathouse.control.audit.repository import Wanted
from boathouse.control.audit.schemas import AuditLine, Verified
from boathouse.control.http.moments import Instant
from boathouse.control.http.paging import Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Work, WorkRoute
from boathouse.kit.errors import InvalidInput

router = api_router("audit", WorkRoute)
Before = Annotated[int | None, Query(ge=1, lt=2**63, alias="cursor", description="`next` of the page before.")]
Text = Annotated[str | None, Query(max_length=100)]
Action = Annotated[
    str | None, Query(max_length=100, description="Such as connection.create, or connection for all of it.")
]
Target = Annotated[str | None, Query(max_length=300, description="Anywhere in what it was done to.")]

As = Annotated[Format, Query(alias="format")]


async def _wanted(
    *,
    user: Text = None,
    action: Action = None,
    target: Target = None,
    result: Text = None,
    since: Instant | None = None,
    until: Instant | None = None,
) -> Wanted:
    return Wanted(user=user, action=action, target=target, result=result, since=since, until=until)


Asked = Annotated[Wanted, Depends(_wanted)]


@router.get("/audit", name="audit.list")
async def find(
    work: Work, _admin: PlatformAdmin, wanted: Asked, cursor: Before = None, limit: Limit = 100
) -> Page[AuditLine]:
    return await _page(work, wanted, cursor, limit)


@router.get("/audit/export", name="audit.export", response_class=StreamingResponse)
async def export(
    request: Request, _admin: PlatformAdmin, wanted: Asked, form: As = Format.JSON_LINES
) -> StreamingResponse:
    """Every entry that is asked for, the newest first."""
    return _file(request, wanted, form)


@router.get("/audit/verify", name="audit.verify")
async def verify(
    work: Work,
    _admin: PlatformAdmin,
    entries: Annotated[int | None, Query(ge=1, lt=2**63, description="How many there were, with `head`.")] = None,
    head: Annotated[str | None, Query(pattern=r"^[0-9a-f]{64}$", description="The hash of the newest by then.")] = None,
) -> Verified:
    """Whether it holds; with `entries` and `head` of an earlier answer, also whether what was there by then still is."""
    if (entries is None) != (head is None):
        raise InvalidInput("One of entries and head is missing.", hint="Give both, of the same answer.")
    found = await chain.verify(work, chain.Head(entries, head) if entries and head else None)
    if isinstance(found, chain.Fault):
        return Verified(holds=False, entries_from=found.number, reason=found.reason)
    return Verified(holds=True, entries=found.number, head=found.hash)


@router.get("/workspaces/{workspace}/audit", name="audit.list-of-workspace")
async def find_in_workspace(
    work: Work, scope: AdminOfWorkspace, wanted: Asked, cursor: Before = None, limit: Limit = 100
) -> Page[AuditLine]:
    return await _page(work, replace(wanted, workspace_id=scope.workspace_id), cursor, limit)


@router.get("/workspaces/{workspace}/audit/export", name="audit.export-of-workspace", response_class=StreamingResponse)
async def export_of_workspace(
    request: Request, scope: AdminOfWorkspace, wanted: Asked, form: As = Format.JSON_LINES
) -> StreamingResponse:
    """What was done in the workspace, the newest first."""
    return _file(request, replace(wanted, workspace_id=scope.workspace_id), form)


async def _page(work: Work, wanted: Wanted, before: int | None, limit: int) -> Page[AuditLine]:
    found = await repository.find(work, wanted, before=before, limit=limit + 1)
    items = [AuditLine.model_validate(entry) for entry in found[:limit]]
    return Page(items=items, next=str(items[-1].number) if len(found) > limit else None)


def _file(request: Request, wanted: Wanted, form: Format) -> StreamingResponse:
    headers = {"Content-Disposition": f'attachment; filename="audit.{form}"'}
    return StreamingResponse(
        exported(request.app.state.database, wanted, form), media_type=form.media_type, headers=headers
    )

"""What can be asked about workspaces and their members."""

from typing import Annotated

from fastapi import Query, Request, Response

from boathouse.control.access.dependencies import AdminOfWorkspace, Caller, PlatformAdmin, ViewerOfWorkspace
from boathouse.control.access.roles import Role
from boathouse.control.http.paging import Cursor, Limit, Page
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, Work, WorkRoute
from boathouse.control.identities.settings import OidcSettings
from boathouse.control.runs import service as runs
from boathouse.control.workspaces import repository, service
from boathouse.control.workspaces.schemas import (
    Candidate,
    GroupsTold,
    MemberRole,
    MemberTold,
    NewWorkspace,
    WorkspaceChange,
    WorkspaceTold,
)

router = api_router("workspaces", WorkRoute)
Text = Annotated[str, Query(max_length=100, description="In the name, what they are called, or the address.")]


@router.get("/workspaces", name="workspace.list")
async def find(work: Work, actor: Caller, cursor: Cursor = None, limit: Limit = 100) -> Page[WorkspaceTold]:
    everything, only = actor.is_platform_admin, actor.only_workspace
    found = await repository.visible(
        work, actor.user_id, everything=everything, only=only, after=cursor, limit=limit + 1
    )
    known = [
        service.told(one.workspace, (Role.ADMIN if everything else one.role or Role.VIEWER).at_most(actor.ceiling))
        for one in found[:limit]
    ]
    return Page(items=known, next=known[-1].name if len(found) > limit else None)


@router.post("/workspaces", name="workspace.create", status_code=201)
async def create(work: Work, actor: PlatformAdmin, wanted: NewWorkspace, note: Noted) -> WorkspaceTold:
    note.target = f"workspace {wanted.name}"
    made = await service.create(work, actor, wanted)
    note.workspace_id = made.id
    return made


@router.get("/workspaces/{workspace}", name="workspace.get")
async def get(work: Work, scope: ViewerOfWorkspace) -> WorkspaceTold:
    return service.told(await service.get(work, scope), scope.role)


@router.patch("/workspaces/{workspace}", name="workspace.change")
async def change(work: Work, scope: AdminOfWorkspace, wanted: WorkspaceChange, note: Noted) -> WorkspaceTold:
    note.target = f"workspace {scope.workspace}"
    note.details = wanted.model_dump(exclude_unset=True)
    return await service.change(work, scope, wanted)


@router.delete("/workspaces/{workspace}", name="workspace.remove", status_code=204)
async def remove(work: Work, _admin: PlatformAdmin, scope: AdminOfWorkspace, note: Noted) -> Response:
    """With everything in it. Not while a run is under way."""
    note.target = f"workspace {scope.workspace}"
    await runs.refuse_if_any_under_way(work, scope)
    await runs.discard_all_results(work, scope)
    await service.remove(work, scope)
    return Response(status_code=204)


@router.get("/workspaces/{workspace}/members", name="member.list")
async def members(work: Work, scope: ViewerOfWorkspace) -> list[MemberTold]:
    found = await repository.members(work, scope.workspace_id)
    return [MemberTold(name=user.name, display_name=user.display_name, role=role) for user, role in found]


@router.get("/workspaces/{workspace}/member-candidates", name="member.candidates")
async def candidates(work: Work, scope: AdminOfWorkspace, text: Text = "", limit: Limit = 20) -> list[Candidate]:
    """Users who are no members yet."""
    found = await repository.candidates(work, scope.workspace_id, text, limit)
    return [Candidate(name=user.name, display_name=user.display_name) for user in found]


@router.get("/workspaces/{workspace}/groups", name="member.groups")
async def groups(request: Request, scope: ViewerOfWorkspace) -> GroupsTold:
    oidc: OidcSettings | None = request.app.state.options.oidc
    roles = oidc.workspaces.get(scope.workspace) if oidc else None
    return GroupsTold(decide=roles is not None, roles=roles or {})


@router.put("/workspaces/{workspace}/members/{name}", name="member.set")
async def set_member(work: Work, scope: AdminOfWorkspace, name: str, wanted: MemberRole, note: Noted) -> MemberTold:
    note.target, note.details = f"user {name}", {"role": wanted.role}
    user = await service.set_member(work, scope, name, wanted.role)
    return MemberTold(name=user.name, display_name=user.display_name, role=wanted.role)


@router.delete("/workspaces/{workspace}/members/{name}", name="member.remove", status_code=204)
async def remove_member(work: Work, scope: AdminOfWorkspace, name: str, note: Noted) -> Response:
    note.target = f"user {name}"
    await service.remove_member(work, scope, name)
    return Response(status_code=204)

"""What can be asked about the grants on a dataset's table."""

from typing import Annotated

from fastapi import Query, Response

from boathouse.control.access.dependencies import ViewerOfWorkspace
from boathouse.control.datasets import grants
from boathouse.control.datasets.endpoints import ONE, Reachable
from boathouse.control.datasets.table_schemas import GrantsTold, GrantWanted, PrincipalName, Privilege
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Noted, OutwardRoute, Work, WorkRoute

router = api_router("datasets", WorkRoute)
outward = api_router("datasets", OutwardRoute)


@router.get(ONE + "/grants", name="dataset.grants")
async def held(work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str) -> GrantsTold:
    """Who may do what with it in the catalog: what was granted on it, and on what it lies in."""
    return await grants.held(work, scope, catalogs, name)


@outward.post(ONE + "/grants", name="dataset.grant", status_code=204)
async def grant(
    work: Work, scope: ViewerOfWorkspace, catalogs: Reachable, name: str, *, wanted: GrantWanted, note: Noted
) -> Response:
    """For platform admins. Given again, it changes nothing."""
    note.target, note.details = f"dataset {name}", wanted.model_dump(mode="json")
    await grants.grant(await grants.to_change(work, scope, catalogs, name), name, wanted)
    return Response(status_code=204)


@outward.delete(ONE + "/grants", name="dataset.revoke", status_code=204)
async def revoke(
    work: Work,
    scope: ViewerOfWorkspace,
    catalogs: Reachable,
    name: str,
    *,
    principal: Annotated[PrincipalName, Query()],
    privilege: Annotated[Privilege, Query()],
    note: Noted,
) -> Response:
    """For platform admins. What is granted on the table itself; what it inherits is taken back where it was given."""
    wanted = GrantWanted(principal=principal, privilege=privilege)
    note.target, note.details = f"dataset {name}", wanted.model_dump(mode="json")
    await grants.revoke(await grants.to_change(work, scope, catalogs, name), name, wanted)
    return Response(status_code=204)

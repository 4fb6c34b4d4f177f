"""What can be asked about all of a workspace's tables at once."""

from typing import Annotated

from fastapi import Depends, Request

from boathouse.control.access.dependencies import ViewerOfWorkspace
from boathouse.control.datasets.care import Care
from boathouse.control.datasets.table_schemas import TablesInNeed
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Work, WorkRoute

router = api_router("datasets", WorkRoute)


async def _care(request: Request) -> Care:
    return request.app.state.care


@router.get("/workspaces/{workspace}/tables-in-need", name="dataset.list-in-need")
async def tables_in_need(work: Work, scope: ViewerOfWorkspace, care: Annotated[Care, Depends(_care)]) -> TablesInNeed:
    """Tables that need care, with the facts that say so: of the hundred written last, as their metadata is within a minute."""
    return await care.told(work, scope)

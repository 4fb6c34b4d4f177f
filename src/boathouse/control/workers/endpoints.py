"""What can be asked about workers."""

from boathouse.control.access.dependencies import Caller
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import Work, WorkRoute
from boathouse.control.workers import service
from boathouse.control.workers.schemas import WorkersTold

router = api_router("workers", WorkRoute)


@router.get("/workers", name="worker.list")
async def find(work: Work, actor: Caller) -> WorkersTold:
    """How many there are, and for platform admins which: they are of the installation, not of a workspace."""
    return await service.told(work, in_full=actor.administers)

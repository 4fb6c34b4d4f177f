"""What can be asked about the installation."""

from fastapi import Request

from boathouse.control.access.dependencies import PlatformAdmin
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import WorkRoute
from boathouse.control.installation import service
from boathouse.control.installation.schemas import InstallationTold

router = api_router("installation", WorkRoute)


@router.get("/installation", name="installation.get")
async def get(request: Request, _admin: PlatformAdmin) -> InstallationTold:
    """What it runs with: never a secret."""
    state = request.app.state
    return await service.told(state.database, state.options, state.connections, state.results, state.started_at)

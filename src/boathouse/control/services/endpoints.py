"""What can be asked about services."""

from typing import Annotated

from fastapi import Depends, Request

from boathouse.control.access.dependencies import Caller
from boathouse.control.http.routers import api_router
from boathouse.control.http.work import WorkRoute
from boathouse.control.services.schemas import ServiceTold
from boathouse.control.services.watch import Watch

router = api_router("services", WorkRoute)


async def _watch(request: Request) -> Watch:
    return request.app.state.services


@router.get("/services", name="service.list")
async def find(actor: Caller, watch: Annotated[Watch, Depends(_watch)]) -> list[ServiceTold]:
    """Each service that this server can see: the installation's database and workers, and the lakehouse it belongs to."""
    del actor
    return await watch.told()

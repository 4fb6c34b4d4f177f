"""Whether the process lives, whether it can do its work, and its figures. Asked by machines, without a login."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from boathouse.control.http.metrics import REGISTRY
from boathouse.kit.errors import Unavailable

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    return {"status": "alive"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    if request.app.state.draining:
        return JSONResponse({"status": "stopping"}, 503)
    try:
        await request.app.state.database.ping()
    except Unavailable as error:
        return JSONResponse({"status": "not ready", "reason": str(error)}, 503)
    return JSONResponse({"status": "ready"})


@router.get("/metrics")
async def metrics() -> Response:
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)

"""Whether the server lives, and whether it can do its work."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.responses import json_response


async def alive(_request: Request) -> Response:
    return json_response({"status": "ok"})


async def ready(request: Request) -> Response:
    """Ready is when the store answers; when it does not, the error says so with status 503."""
    await request.app.state.store.read("ready")
    return json_response({"status": "ok"})


ROUTES = [Route("/healthz", alive, methods=["GET"]), Route("/readyz", ready, methods=["GET"])]
OPEN_PATHS = frozenset({"/healthz", "/readyz"})

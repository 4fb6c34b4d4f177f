"""What a client is told first: the prefix of its warehouse's paths, and what this server can do."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.responses import json_response
from boathouse.catalog.errors import BadRequest, NoSuchWarehouse
from boathouse.catalog.service.repeats import LIFETIME


async def get_config(request: Request) -> Response:
    """A warehouse is asked for by name, or by its location as engines call it; one alone need not be named."""
    catalogs = request.app.state.catalogs
    asked = request.query_params.get("warehouse")
    if not asked:
        if len(catalogs) != 1:
            raise BadRequest(f"Please specify a warehouse: one of {', '.join(sorted(catalogs))}")
        asked = next(iter(catalogs))
    by_root = {catalog.warehouse.root: name for name, catalog in catalogs.items()}
    name = asked if asked in catalogs else by_root.get(asked.rstrip("/"))
    if name is None:
        raise NoSuchWarehouse(f"Warehouse does not exist: {asked}")
    body = {
        "defaults": {},
        "overrides": {"prefix": name},
        "endpoints": request.app.state.endpoints,
        "idempotency-key-lifetime": LIFETIME,
    }
    return json_response(body)


ROUTES = [Route("/v1/config", get_config, methods=["GET"])]

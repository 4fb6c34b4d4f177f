"""What a client is told first: the prefix of its warehouse's paths, and what this server can do."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.operations import Need, Operation, Requirement, caller_of
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.errors import BadRequest, Forbidden, NoSuchWarehouse
from boathouse.catalog.service.repeats import LIFETIME


async def get_config(request: Request) -> Response:
    name = _asked(request)
    if name not in request.app.state.catalogs:
        raise NoSuchWarehouse(f"Warehouse does not exist: {name}")
    storage = request.app.state.catalogs[name].warehouse.storage
    body = {
        "defaults": storage.client_properties() if storage else {},
        "overrides": {"prefix": name},
        "endpoints": request.app.state.endpoints,
        "idempotency-key-lifetime": LIFETIME,
    }
    return json_response(body)


async def _seeing_warehouse(request: Request) -> Iterable[Need]:
    return (Need(Privilege.LIST, Securable(_asked(request))),)


def _asked(request: Request) -> str:
    """A warehouse is asked for by name, or by its location as engines call it; one alone need not be named."""
    catalogs = request.app.state.catalogs
    asked = request.query_params.get("warehouse")
    if not asked:
        return _only(request)
    by_root = {catalog.warehouse.root: name for name, catalog in catalogs.items()}
    found = by_root.get(asked.rstrip("/"))
    # A location is only translated for those who may know whose it is.
    return found if found and caller_of(request).allowed(Privilege.LIST, Securable(found)) else asked


def _only(request: Request) -> str:
    """The one warehouse there is for this caller."""
    caller = caller_of(request)
    known = [name for name in sorted(request.app.state.catalogs) if caller.allowed(Privilege.LIST, Securable(name))]
    if len(known) == 1:
        return known[0]
    if not known:
        raise Forbidden(f"Principal '{caller.name}' lacks the grant 'list' on any warehouse")
    raise BadRequest(f"Please specify a warehouse: one of {', '.join(known)}")


ROUTES = [Operation("GET", "/v1/config", get_config, Requirement(_seeing_warehouse))]

"""The application: routes, the gate before them, and what runs beside them."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from boathouse.catalog.access.principals import Principals
from boathouse.catalog.api import (
    config,
    credentials,
    functions,
    health,
    management,
    metrics,
    namespaces,
    oauth,
    prometheus,
    scans,
    tables,
    transactions,
    views,
)
from boathouse.catalog.api.auth import Authenticator, IssuedTokens
from boathouse.catalog.api.gate import Gate
from boathouse.catalog.api.operations import ANYBODY, Operation
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.api.routing import Routing
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.store import Store

# What is asked most comes first: routes are tried in order.
OPERATIONS: list[Operation] = [
    *tables.ROUTES,
    *credentials.ROUTES,
    *transactions.ROUTES,
    *scans.ROUTES,
    *views.ROUTES,
    *metrics.ROUTES,
    *namespaces.ROUTES,
    *functions.ROUTES,
    *config.ROUTES,
    *oauth.ROUTES,
    *management.ROUTES,
    *health.ROUTES,
    *prometheus.ROUTES,
]
_OPEN_PATHS = frozenset(operation.path for operation in OPERATIONS if operation.requirement is ANYBODY)

_TEMPLATES = {operation.endpoint: operation.path for operation in OPERATIONS}


class _GatedApp(Starlette):
    def build_middleware_stack(self) -> ASGIApp:
        """The gate before all else: what Starlette puts around an application handles what the gate has handled."""
        behind = super().build_middleware_stack()
        return Gate(behind, self.state.authenticator, _OPEN_PATHS, _TEMPLATES, Routing(OPERATIONS))


def create_app(
    store: Store, catalogs: Mapping[str, Catalog], authenticator: Authenticator, *, open_metrics: bool = False
) -> Starlette:
    """The application owns the store: it closes it when it stops."""
    app = _GatedApp(routes=OPERATIONS, exception_handlers={HTTPException: _no_such_route}, lifespan=_lifespan)
    app.state.store = store
    app.state.catalogs = catalogs
    app.state.gatekeeper = authenticator.gatekeeper if isinstance(authenticator, IssuedTokens) else None
    app.state.principals = app.state.gatekeeper.principals if app.state.gatekeeper else Principals(store)
    app.state.endpoints = _endpoints()
    app.state.authenticator = authenticator
    app.state.open_metrics = open_metrics
    app.state.draining = False
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncGenerator[None]:
    housekeeping = [asyncio.create_task(catalog.keep_house()) for catalog in app.state.catalogs.values()]
    try:
        yield
    finally:
        for task in housekeeping:
            task.cancel()
        await asyncio.gather(*housekeeping, return_exceptions=True)
        for catalog in app.state.catalogs.values():
            await catalog.purging.stop()
            await catalog.storage_access.close()
        await app.state.store.close()


def _endpoints() -> list[str]:
    """What the server has, as the specification names it."""
    return [f"{one.method} {one.path}" for one in OPERATIONS if one.path.startswith("/v1/{prefix}")]


async def _no_such_route(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else "Internal Server Error"
    kind = "BadRequestException" if status < 500 else "InternalServerError"
    return json_response(
        {"error": {"message": f"No route for request: {detail}", "type": kind, "code": status}}, status
    )

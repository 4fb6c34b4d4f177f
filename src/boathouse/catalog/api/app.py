"""The application: routes, the gate before them, and what runs beside them."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api import config, health, metrics, namespaces, tables, transactions
from boathouse.catalog.api.auth import Authenticator
from boathouse.catalog.api.gate import Gate
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.store import Store

# What is asked most comes first: routes are tried in order.
_ROUTES = [
    *tables.ROUTES,
    *transactions.ROUTES,
    *metrics.ROUTES,
    *namespaces.ROUTES,
    *config.ROUTES,
    *health.ROUTES,
]


def create_app(store: Store, catalogs: Mapping[str, Catalog], authenticator: Authenticator) -> Starlette:
    """The application owns the store: it closes it when it stops."""
    app = Starlette(
        routes=_ROUTES,
        middleware=[Middleware(Gate, authenticator=authenticator)],
        exception_handlers={HTTPException: _no_such_route},
        lifespan=_lifespan,
    )
    app.state.store = store
    app.state.catalogs = catalogs
    app.state.endpoints = _endpoints()
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
        await app.state.store.close()


def _endpoints() -> list[str]:
    """What the server has, as the specification names it."""
    routes = [route for route in _ROUTES if route.path.startswith("/v1/{prefix}")]
    return [f"{_method(route)} {route.path}" for route in routes]


def _method(route: Route) -> str:
    """Starlette adds HEAD to every GET."""
    methods = route.methods or set()
    return "GET" if "GET" in methods else next(iter(methods))


async def _no_such_route(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else "Internal Server Error"
    kind = "BadRequestException" if status < 500 else "InternalServerError"
    return json_response(
        {"error": {"message": f"No route for request: {detail}", "type": kind, "code": status}}, status
    )

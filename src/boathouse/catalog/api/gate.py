"""What every request passes through: who calls, how it ended, and one line in the log about it (but for probes)."""

import re
from collections.abc import Mapping
from typing import Any

import structlog
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from boathouse.catalog.api.auth import Authenticator
from boathouse.catalog.api.exchange import Exchange
from boathouse.catalog.api.responses import error_response
from boathouse.catalog.api.routing import Routing
from boathouse.catalog.errors import CommitStateUnknown
from boathouse.catalog.telemetry import tracing
from boathouse.catalog.telemetry.metrics import IN_FLIGHT
from boathouse.kit.errors import BoathouseError
from boathouse.kit.ids import new_uuid

_SANE_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")


class Gate:
    """Plain ASGI rather than Starlette's middleware, which costs more than loading a table does."""

    def __init__(
        self,
        app: ASGIApp,
        authenticator: Authenticator,
        open_paths: frozenset[str],
        routes: Mapping[Any, str],
        routing: Routing,
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._open_paths = open_paths
        self._routes = routes
        self._routing = routing
        # Bound once: what the library makes on the first use it makes on every use otherwise.
        self._log = structlog.get_logger().bind()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A fresh object each time: Starlette shares the application's otherwise.
        # Of a header that is sent twice the first counts.
        headers = dict(reversed(scope["headers"]))
        scope["state"] = {"request": _request_id(headers.get(b"x-request-id")), "headers": headers}
        exchange = Exchange(scope, send)
        IN_FLIGHT.inc()
        try:
            if tracing.enabled():
                await self._traced(scope, receive, exchange)
            else:
                await self._answer(scope, receive, exchange)
        finally:
            IN_FLIGHT.inc(-1)
            route = self._route(scope)
            exchange.end(route)
            if not exchange.routine:
                self._log.info("request", **exchange.facts(route))

    async def _traced(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        with tracing.request_span(scope["headers"]) as told:
            await self._answer(scope, receive, exchange)
            for name, value in exchange.attributes(self._route(scope)).items():
                told.set_attribute(name, value)

    def _route(self, scope: Scope) -> str | None:
        """The template of the route that was found, if one was looked for."""
        return self._routes.get(scope.get("endpoint"))

    async def _answer(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        # Routes see the path as it was sent: a slash inside a name is not one between names.
        scope["path"] = scope["raw_path"].decode("latin-1")
        try:
            if scope["path"] not in self._open_paths:
                given = scope["state"]["headers"].get(b"authorization")
                scope["state"]["caller"] = await self._authenticator.authenticate(given and given.decode("latin-1"))
            await self._operate(scope, receive, exchange)
        except ClientDisconnect:
            scope["state"]["error"] = "the caller went away before the request was whole"
        except BoathouseError as error:
            scope["state"]["error"] = error
            await exchange.answer(error_response(error))
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer and no stack trace
            self._log.exception("unexpected error", request=scope["state"]["request"])
            scope["state"]["error"] = error
            await exchange.answer(error_response(_unexpected(scope)))

    async def _operate(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        found = self._routing.find(scope["method"], scope["path"])
        if found is None:
            await self._app(scope, receive, exchange.send)
            return
        operation, scope["path_params"] = found
        scope["state"]["changes"] = operation.changes
        scope["endpoint"] = operation.endpoint
        await exchange.answer(await operation.endpoint(Request(scope, receive)))


def _request_id(given: bytes | None) -> str:
    """The caller's own, if it is one that a log can hold."""
    return given.decode() if given and _SANE_ID.fullmatch(given) else new_uuid()


def _unexpected(scope: Scope) -> BoathouseError:
    message = f"Internal Server Error (request {scope['state']['request']})"
    return CommitStateUnknown(message) if scope["state"].get("changes") else BoathouseError(message)

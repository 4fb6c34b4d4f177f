"""Each request has an id, is counted, and leaves one line in the log. What it brings is never in that line."""

import re
import time
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boathouse.control.http.metrics import REQUEST_SECONDS, REQUESTS
from boathouse.kit.errors import BoathouseError
from boathouse.kit.ids import new_uuid

_GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class RequestLog:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        state: dict[str, Any] = scope.setdefault("state", {})
        state["request_id"] = request_id
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", []), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except Exception:
            # Answered outside of here, by what answers whatever nobody thought of.
            status, state["error_code"] = 500, BoathouseError.code
            raise
        finally:
            _told(scope, state, request_id, status, time.perf_counter() - began)


def _request_id(scope: Scope) -> str:
    given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
    return given.decode() if _GIVEN_ID.fullmatch(given) else new_uuid()


def _told(scope: Scope, state: dict[str, Any], request_id: str, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", "(none)")
    REQUESTS.labels(scope["method"], route, str(status or "closed")).inc()
    REQUEST_SECONDS.labels(scope["method"], route).observe(seconds)
    actor = state.get("actor")
    structlog.get_logger().info(
        "request",
        request_id=request_id,
        method=scope["method"],
        path=scope["path"],
        status=status,
        ms=round(1000 * seconds, 1),
        user=actor.name if actor else None,
        code=state.get("error_code"),
        address=address_of(scope),
    )


def address_of(scope: Scope) -> str:
    """Where it comes from. No longer than one can be: behind a proxy it is what a header says."""
    client = scope.get("client")
    return client[0][:64] if client else ""

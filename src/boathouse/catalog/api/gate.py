"""What every request passes through: who calls, how it ended, and one line in the log about it (but for probes)."""

import time

import structlog
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boathouse.catalog.api.auth import Authenticator
from boathouse.catalog.api.health import OPEN_PATHS
from boathouse.catalog.api.responses import error_response
from boathouse.catalog.errors import CommitStateUnknown
from boathouse.kit.errors import BoathouseError
from boathouse.kit.ids import new_uuid

_LONGEST_ID = 64
_CHANGING = frozenset({"POST", "DELETE"})


class Gate:
    """Plain ASGI rather than Starlette's middleware, which costs more than loading a table does."""

    def __init__(self, app: ASGIApp, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator
        self._log = structlog.get_logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        try:
            await self._answer(scope, receive, exchange.send)
        finally:
            if not exchange.routine:
                self._log.info("request", **exchange.facts())

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Routes see the path as it was sent: a slash inside a name is not one between names.
        scope["path"] = scope["raw_path"].decode("latin-1")
        try:
            if scope["path"] not in OPEN_PATHS:
                scope["state"]["principal"] = self._authenticator.authenticate(_authorization(scope))
            await self._app(scope, receive, send)
        except ClientDisconnect:
            scope["state"]["error"] = "the caller went away before the request was whole"
        except BoathouseError as error:
            scope["state"]["error"] = error
            await error_response(error)(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer and no stack trace
            self._log.exception("unexpected error", request=scope["state"]["request"])
            scope["state"]["error"] = error
            await error_response(_unexpected(scope))(scope, receive, send)


class _Exchange:
    """One request and its answer, as the log tells of it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started = time.perf_counter()
        self._status = 0
        # A fresh object each time: Starlette shares the application's otherwise.
        scope["state"] = {"request": (_header(scope, b"x-request-id") or new_uuid())[:_LONGEST_ID]}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            message["headers"] = [
                *message["headers"],
                (b"x-request-id", self._scope["state"]["request"].encode("latin-1")),
            ]
        await self._send(message)

    @property
    def routine(self) -> bool:
        """A probe that found all well: with one every few seconds nobody would find the requests between them."""
        return self._scope["path"] in OPEN_PATHS and 200 <= self._status < 300

    def facts(self) -> dict[str, object]:
        state = self._scope["state"]
        facts: dict[str, object] = {
            "request": state["request"],
            "method": self._scope["method"],
            "path": self._scope["path"],
            "status": self._status,
            "ms": round((time.perf_counter() - self._started) * 1000, 2),
        }
        if "table" in state:
            facts["table"] = state["table"]
        if self._scope["method"] in _CHANGING:
            facts["outcome"] = _outcome(self._status)
        if "error" in state:
            facts["error"] = str(state["error"])
        return facts


def _outcome(status: int) -> str:
    if status < 400:
        return "applied"
    return "rejected" if status < 500 or status == 503 else "unknown"


def _unexpected(scope: Scope) -> BoathouseError:
    message = f"Internal Server Error (request {scope['state']['request']})"
    return CommitStateUnknown(message) if scope["method"] in _CHANGING else BoathouseError(message)


def _authorization(scope: Scope) -> str | None:
    return _header(scope, b"authorization")


def _header(scope: Scope, name: bytes) -> str | None:
    return next((value.decode("latin-1") for header, value in scope["headers"] if header == name), None)

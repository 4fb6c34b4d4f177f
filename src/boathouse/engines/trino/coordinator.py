"""A coordinator, asked by Trino's protocol: a statement is posted, and its pages are followed to the last.

https://trino.io/docs/current/develop/client-protocol.html
"""

import ipaddress
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import orjson
from tenacity import (
    Retrying,
    retry_base,
    retry_if_exception_type,
    retry_if_result,
    retry_never,
    stop_after_delay,
    wait_random,
)

from boathouse.engines.trino.access import TrinoAccess
from boathouse.engines.trino.errors import refused, unanswered
from boathouse.engines.trino.session import Session
from boathouse.kit.errors import Unavailable

Page = dict[str, Any]
# Trino answers within a second or two, whether there is something new or not.
_SECONDS = 30.0
# Who stops has little time to say so.
_SECONDS_TO_CANCEL = 5.0
# The protocol asks for another try after these; with the first two nothing was taken.
_FULL = {429, 503}
_BUSY = {*_FULL, 502, 504}
_BRIDGED_SECONDS = 30.0
SOURCE = "boathouse"


class Coordinator:
    """One session. Statements are asked one after the other."""

    def __init__(self, access: TrinoAccess, *, source: str = SOURCE, patience: float | None = None) -> None:
        """With `patience`, in seconds, statements that take longer than that in all are given up."""
        self.access = access
        self.session = Session(user=access.user, source=source, catalog=access.catalog)
        self._until = None if patience is None else monotonic() + patience
        self._http = httpx.Client(
            base_url=access.address,
            auth=_login(access),
            timeout=_SECONDS if patience is None else patience,
            # A proxy is for elsewhere.
            trust_env=not _is_this_machine(access.address),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def version(self) -> str:
        told = _mapping(self._answered(retry_never, "GET", "/v1/info"))
        version = told.get("nodeVersion")
        if not isinstance(version, dict) or "version" not in version:
            raise Unavailable("/v1/info is not answered as Trino does.", hint="Is this a coordinator's address?")
        if told.get("starting"):
            raise Unavailable("Trino is still starting.", hint="Try again in a minute.")
        return str(version["version"])  # pyright: ignore[reportUnknownArgumentType]

    def begin(self, sql: str) -> Page:
        """The first page of a statement's. Sent again only if it was not taken: a repeat might run it twice."""
        return self._page(self._answered(retry_if_result(_is_full), "POST", "/v1/statement", content=sql.encode()))

    def follow(self, address: str) -> Page:
        """The page there. It is told again as long as the next was not asked for, so a lost one is asked for again."""
        if self._until is not None and monotonic() > self._until:
            raise Unavailable("Trino takes too long.", hint="Is it overloaded, or without workers?")
        lost = retry_if_exception_type(httpx.TransportError) | retry_if_result(_is_busy)
        return self._page(self._answered(lost, "GET", _path(address)))

    def cancel(self, address: str) -> None:
        """End the statement whose next page would be there. Who cannot be reached ends it after some minutes alone."""
        with suppress(httpx.HTTPError):
            self._http.delete(_path(address), headers=self.session.headers(), timeout=_SECONDS_TO_CANCEL)

    def _answered(self, again: retry_base, method: str, path: str, **options: Any) -> httpx.Response:
        patiently = Retrying(
            retry=again,
            stop=stop_after_delay(_BRIDGED_SECONDS if self._until is None else 0),
            wait=wait_random(0.05, 0.1),
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else None,
        )
        try:
            return patiently(self._sent, method, path, **options)
        except httpx.HTTPError as error:
            raise unanswered(self.access.address, error) from error

    def _sent(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self._http.request(method, path, headers=self.session.headers(), **options)

    def _page(self, response: httpx.Response) -> Page:
        page = _mapping(response)
        if not response.is_success or "id" not in page:
            raise refused(response)
        self.session.heed(response.headers)
        return page


def _path(address: str) -> str:
    """The path only: whatever host an answer names, the secret goes to the one that was configured."""
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _login(access: TrinoAccess) -> httpx.Auth | None:
    if access.token is not None:
        return _Bearer(access.token.get_secret_value())
    return httpx.BasicAuth(access.user, access.password.get_secret_value()) if access.password else None


class _Bearer(httpx.Auth):
    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request


def _is_full(response: httpx.Response) -> bool:
    return response.status_code in _FULL


def _is_busy(response: httpx.Response) -> bool:
    return response.status_code in _BUSY


def _mapping(response: httpx.Response) -> dict[str, Any]:
    """The JSON object that was answered; an empty one if it is something else."""
    try:
        told = orjson.loads(response.content)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _is_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

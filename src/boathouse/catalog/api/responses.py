"""What goes out."""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.api.requests import body_of, catalog_of, note, repeat_of
from boathouse.catalog.errors import error_body
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.files import MetadataFile
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.storage_access import Delegation
from boathouse.kit.errors import BoathouseError

_JSON = "application/json"
_TYPED = (b"content-type", _JSON.encode())
NOT_KEPT = {"Cache-Control": "no-store"}
"""For what has keys in it."""
_HEADERS = {401: {"WWW-Authenticate": 'Bearer realm="boathouse"'}, 503: {"Retry-After": "1"}}


class Prepared(Response):
    """JSON, with headers that nobody has to look through before they are sent."""

    def __init__(self, body: bytes, *headers: tuple[bytes, bytes]) -> None:  # pyright: ignore[reportMissingSuperCall]
        self.status_code = 200
        self.background = None
        self.body = body
        self.raw_headers = [(b"content-length", b"%d" % len(body)), _TYPED, *headers]


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type=_JSON)


def error_response(error: BoathouseError) -> Response:
    return json_response(error_body(error), error.http_status, _HEADERS.get(error.http_status))


def version_response(file: MetadataFile, *, referenced: bool = False, delegation: Delegation | None = None) -> Response:
    """A version of a table or view. Its text goes out as it lies in the file, without being parsed."""
    content = file.referenced if referenced else file.content
    parts = (b'{"metadata-location":', orjson.dumps(file.location), b',"metadata":', content, _ending(delegation))
    return Prepared(b"".join(parts), _version_header(file, delegation, referenced=referenced))


def _ending(delegation: Delegation | None) -> bytes:
    """What follows the metadata: how its files are reached."""
    if delegation is None:
        return b',"config":{}}'
    return b"," + orjson.dumps(_reaching(delegation))[1:]


def _reaching(delegation: Delegation) -> dict[str, Any]:
    credentials = {"storage-credentials": delegation.credentials} if delegation.credentials else {}
    return {"config": delegation.config, **credentials}


def _version_header(file: MetadataFile, delegation: Delegation | None, *, referenced: bool) -> tuple[bytes, bytes]:
    # Keys end, so an answer with keys in it is never the same as another.
    if delegation is not None and delegation.secret:
        return b"cache-control", b"no-store"
    return b"etag", etag(file.location, referenced=referenced, signed=delegation is not None).encode()


@lru_cache(maxsize=4096)
def etag(metadata_location: str, *, referenced: bool, signed: bool) -> str:
    text = f"{metadata_location} {'refs' if referenced else 'all'}{' signed' if signed else ''}"
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def respond(answer: Answer, delegation: Delegation | None = None) -> Response:
    if answer.version is not None:
        return version_response(answer.version, delegation=delegation)
    if answer.body is None:
        return Response(status_code=answer.status)
    if delegation is None:
        return json_response(answer.body, answer.status)
    headers = dict(NOT_KEPT) if delegation.secret else None
    return json_response({**answer.body, **_reaching(delegation)}, answer.status, headers)


Change = Callable[[bytes, Ticket | None], Awaitable[Answer]]
Delegate = Callable[[Answer], Awaitable[Delegation | None]]


async def changed_once(request: Request, change: Change, delegate: Delegate | None = None) -> Response:
    """Carry out a change; under an idempotency key only if it was not carried out before.

    What is delegated is worked out anew for a repeat: keys are not kept.
    """
    answer = await answered_once(request, change)
    return respond(answer, await delegate(answer) if delegate and answer.status < 400 else None)


async def answered_once(request: Request, change: Change) -> Answer:
    body = await body_of(request)
    repeat = repeat_of(request, body)
    if repeat is None:
        return await change(body, None)
    key, fingerprint = repeat
    # In the log a key is known by its hash: whoever reads the log cannot repeat the request with it.
    note(request, "key", sha256(key.lower().encode()).hexdigest()[:12])
    answer = await catalog_of(request).repeats.once(key, fingerprint, lambda ticket: change(body, ticket))
    note(request, "replayed", answer.replayed)
    return answer

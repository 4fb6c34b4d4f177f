"""What goes out."""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.api.requests import body_of, catalog_of, repeat_of
from boathouse.catalog.errors import error_body
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.files import TableFile
from boathouse.catalog.service.repeats import Ticket
from boathouse.kit.errors import BoathouseError

_JSON = "application/json"


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type=_JSON)


def error_response(error: BoathouseError) -> Response:
    headers = {"Retry-After": "1"} if error.http_status == 503 else None
    return json_response(error_body(error), error.http_status, headers)


def table_response(file: TableFile, *, referenced: bool = False) -> Response:
    """A table's version. Its text goes out as it lies in the file, without being parsed."""
    content = file.referenced if referenced else file.content
    parts = (b'{"metadata-location":', orjson.dumps(file.location), b',"metadata":', content, b',"config":{}}')
    return Response(b"".join(parts), headers={"ETag": etag(file.location, referenced=referenced)}, media_type=_JSON)


def etag(metadata_location: str, *, referenced: bool) -> str:
    text = f"{metadata_location} {'refs' if referenced else 'all'}"
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def respond(answer: Answer) -> Response:
    if answer.table is not None:
        return table_response(answer.table)
    return Response(status_code=answer.status) if answer.body is None else json_response(answer.body, answer.status)


Change = Callable[[bytes, Ticket | None], Awaitable[Answer]]


async def changed_once(request: Request, change: Change) -> Response:
    """Carry out a change; under an idempotency key only if it was not carried out before."""
    body = await body_of(request)
    repeat = repeat_of(request, body)
    if repeat is None:
        return respond(await change(body, None))
    key, fingerprint = repeat
    return respond(await catalog_of(request).repeats.once(key, fingerprint, lambda ticket: change(body, ticket)))

"""What comes in: names from the path, parameters from the query, a JSON object from the body."""

import json
import re
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import unquote_plus
from uuid import UUID

import orjson
from starlette.requests import Request

from boathouse.catalog.errors import BadRequest, NoSuchWarehouse, TooLarge
from boathouse.catalog.metadata.fields import Json, as_object
from boathouse.catalog.names import Namespace, TableName, decode_namespace, decode_table, function_of, view_of
from boathouse.catalog.service.catalog import Catalog
from boathouse.catalog.service.pages import Page

Default = TypeVar("Default", str, None)
# Any whole number of fewer digits has 64 bits at the most.
_LONG_NUMBER, _LONG_NEGATIVE = b"0" * 20, b"-" + b"0" * 19
_LONGEST_NUMBER = 21
_DIGITS = bytes(byte if byte == ord("-") else ord("0" if byte in b"0123456789" else " ") for byte in range(256))
_TAGS = re.compile(r'"[^"]*"')
# A commit that expires tens of thousands of snapshots is a few megabytes.
LARGEST_BODY = 32 * 1024 * 1024


def warehouse_of(request: Request) -> str:
    return part(request, "prefix")


def catalog_of(request: Request) -> Catalog:
    name = warehouse_of(request)
    catalog = request.app.state.catalogs.get(name)
    if catalog is None:
        raise NoSuchWarehouse(f"Warehouse does not exist: {name}")
    return catalog


def namespace_of(request: Request) -> Namespace:
    return decode_namespace(part(request, "namespace"))


def table_name_of(request: Request) -> TableName:
    return noted(request, decode_table(part(request, "namespace"), part(request, "table")))


def view_name_of(request: Request) -> TableName:
    return noted(request, view_of(namespace_of(request), part(request, "view")))


def noted(request: Request, name: TableName) -> TableName:
    """A name that the log tells with the request."""
    note(request, "table", str(name))
    return name


def note(request: Request, what: str, value: object) -> None:
    """For the log. Not by way of `request.state`, an object that would be made for it."""
    request.scope["state"][what] = value


def header_of(request: Request, name: bytes) -> str | None:
    """A header as the gate found it. Starlette makes an object of all of them, and looks through them one by one."""
    value: bytes | None = request.scope["state"]["headers"].get(name)
    return None if value is None else value.decode("latin-1")


def function_name_of(request: Request) -> TableName:
    return function_of(namespace_of(request), part(request, "function"))


def plan_id_of(request: Request) -> str:
    return part(request, "plan_id")


def parameter(request: Request, name: str, default: Default) -> str | Default:
    """A parameter of the query. Most requests have none, and for them there is nothing to parse."""
    return request.query_params.get(name, default) if request.scope["query_string"] else default


def page_of(request: Request) -> Page:
    token, size = parameter(request, "pageToken", None), parameter(request, "pageSize", None)
    if size is None:
        return Page(token)
    if not (size.isascii() and size.isdigit() and int(size[:10]) > 0):
        raise BadRequest(f"Invalid page size: {size[:100]!r} is not a positive whole number")
    return Page(token, int(size[:10]))


def has_version(request: Request, tag: str) -> bool:
    """Whether If-None-Match names this version. Weak tags count: the same version is the same bytes."""
    known = header_of(request, b"if-none-match")
    return known is not None and (known.strip() == "*" or tag in _TAGS.findall(known))


def flag(request: Request, name: str) -> bool:
    value = parameter(request, name, "false").lower()
    if value not in {"true", "false"}:
        raise BadRequest(f"Cannot parse to a boolean value: {name}: {value[:100]!r}")
    return value == "true"


async def body_of(request: Request, *, largest: int = LARGEST_BODY) -> bytes:
    """The body, no further than is allowed. It is kept: what the caller needs to be granted may depend on it."""
    kept: bytes | None = request.scope["state"].get("body")
    if kept is not None:
        return kept
    announced = header_of(request, b"content-length") or "0"
    content = bytearray()
    if announced.isascii() and announced.isdigit() and int(announced[:18]) > largest:
        raise TooLarge(f"Request body is larger than {largest} bytes")
    async for chunk in request.stream():
        content += chunk
        if len(content) > largest:
            raise TooLarge(f"Request body is larger than {largest} bytes")
    kept = bytes(content)
    note(request, "body", kept)
    return kept


async def json_of(request: Request) -> Json:
    return parse(await body_of(request))


def parse(body: bytes) -> Json:
    try:
        value: Any = orjson.loads(body)
        digits = body.translate(_DIGITS)
        if _LONG_NUMBER in digits or _LONG_NEGATIVE in digits:
            # The library makes a float of a whole number that long, and says nothing.
            json.loads(body, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"Malformed request: {error}") from error
    return as_object(value, "request")


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER or not -(2**63) <= int(digits) < 2**64:
        raise ValueError(f"a whole number has more than 64 bits: {digits[:100]}")
    return int(digits)


def repeat_of(request: Request, body: bytes) -> tuple[str, str] | None:
    """The idempotency key and a fingerprint of the request it is for, if the request carries one."""
    key = header_of(request, b"idempotency-key")
    if key is None:
        return None
    try:
        UUID(key)
    except ValueError:
        raise BadRequest("Invalid Idempotency-Key: must be a UUID") from None
    if len(key) != 36:
        raise BadRequest("Invalid Idempotency-Key: must be a UUID")
    what = b"\n".join((request.method.encode(), request.url.path.encode(), request.url.query.encode(), body))
    return key, sha256(what).hexdigest()


def part(request: Request, name: str) -> str:
    """A part of the path, which arrives as it was sent: Java's clients write a space as a plus sign."""
    part: str = request.scope["path_params"][name]
    return unquote_plus(part) if "%" in part or "+" in part else part

"""A table's files without keys of one's own, over HTTP: keys renewed, requests to storage signed."""

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.delegation import STAGED
from boathouse.catalog.api.operations import Need, Operation, Requirement, caller_of, on_namespace, on_table
from boathouse.catalog.api.requests import catalog_of, json_of, table_name_of
from boathouse.catalog.api.responses import NOT_KEPT, json_response
from boathouse.catalog.errors import BadRequest
from boathouse.catalog.metadata.fields import Json, a_string, an_object
from boathouse.catalog.service.storage_access import Bearer, Extent
from boathouse.catalog.storage.s3_request import S3Request


async def load_credentials(request: Request) -> Response:
    access, caller = catalog_of(request).storage_access, caller_of(request)
    extent, created = await _extent(request, Privilege.READ)
    writes = not created or caller.allowed(Privilege.WRITE, on_table(request))
    credentials = await access.credentials(extent, Bearer(caller.name, writes))
    return json_response({"storage-credentials": credentials}, headers=NOT_KEPT)


async def sign_request(request: Request) -> Response:
    asked = _sign_request(await json_of(request))
    access = catalog_of(request).storage_access
    extent, _ = await _extent(request, _privilege(asked))
    headers = await access.sign(asked, extent, caller_of(request).name)
    # The same request may be sent again with the same signature: readers ask for many ranges of one file.
    cache = "no-cache" if asked.writes else "private"
    return json_response({"uri": asked.uri, "headers": headers}, headers={"Cache-Control": cache})


async def _extent(request: Request, privilege: Privilege) -> tuple[Extent, bool]:
    """Where the table's files lie, and whether it is there yet. Once it is, it takes a grant on it to reach them."""
    table, sealed = table_name_of(request), request.query_params.get(STAGED)
    access = catalog_of(request).storage_access
    if sealed is None:
        return await access.extent(table), True
    if not await access.exists(table):
        return await access.staged_extent(table, sealed), False
    caller_of(request).require(privilege, on_table(request))
    return await access.extent(table), True


async def _loading(request: Request) -> Iterable[Need]:
    return (_need(request, Privilege.READ),)


async def _signing(request: Request) -> Iterable[Need]:
    return (_need(request, _privilege(_sign_request(await json_of(request)))),)


def _need(request: Request, privilege: Privilege) -> Need:
    if STAGED in request.query_params:
        return Need(Privilege.CREATE, on_namespace(request))
    return Need(privilege, on_table(request))


def _privilege(asked: S3Request) -> Privilege:
    return Privilege.WRITE if asked.writes else Privilege.READ


def _sign_request(json: Json) -> S3Request:
    if json.get("provider", "s3") != "s3":
        raise BadRequest("Invalid sign request: only requests to s3 can be signed")
    a_string(json, "region")  # the warehouse has one of its own, with which it is signed
    body = a_string(json, "body") if json.get("body") is not None else None
    return S3Request(a_string(json, "method"), a_string(json, "uri"), _headers(an_object(json, "headers")), body)


def _headers(json: Json) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for name, values in json.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise BadRequest("Invalid sign request: headers have lists of strings")
        headers[name] = values
    return headers


_TABLE = "/v1/{prefix}/namespaces/{namespace}/tables/{table}"

ROUTES = [
    Operation("POST", f"{_TABLE}/sign", sign_request, Requirement(_signing), reads=True),
    Operation("GET", f"{_TABLE}/credentials", load_credentials, Requirement(_loading)),
]

"""Functions over HTTP. The specification has no way to create one, so no namespace holds any."""

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.operations import Operation, on_namespace, requires
from boathouse.catalog.api.requests import catalog_of, function_name_of, namespace_of, page_of
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.errors import NoSuchFunction
from boathouse.catalog.service.pages import check_token


async def list_functions(request: Request) -> Response:
    check_token(page_of(request))
    await catalog_of(request).namespaces.properties(namespace_of(request))
    return json_response({"identifiers": [], "next-page-token": None})


async def load_function(request: Request) -> Response:
    function = function_name_of(request)
    await catalog_of(request).namespaces.properties(function.namespace)
    raise NoSuchFunction(f"Function does not exist: {function}")


_FUNCTIONS = "/v1/{prefix}/namespaces/{namespace}/functions"

ROUTES = [
    Operation("GET", _FUNCTIONS, list_functions, requires(Privilege.LIST, on_namespace)),
    Operation("GET", f"{_FUNCTIONS}/{{function}}", load_function, requires(Privilege.READ, on_namespace)),
]

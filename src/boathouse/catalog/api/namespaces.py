"""Namespaces over HTTP."""

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.operations import Operation, asker_of, on_namespace, requires, visible
from boathouse.catalog.api.requests import catalog_of, namespace_of, page_of, parse, warehouse_of
from boathouse.catalog.api.requirements import CREATING_NAMESPACE, LISTING_NAMESPACES
from boathouse.catalog.api.responses import changed_once, json_response
from boathouse.catalog.metadata.fields import a_list, string_map, strings
from boathouse.catalog.names import decode_namespace
from boathouse.catalog.names import namespace_of as namespace_from
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket


async def list_namespaces(request: Request) -> Response:
    parent = request.query_params.get("parent")
    within = decode_namespace(parent) if parent else None
    seen = visible(request, Securable.of_namespace(warehouse_of(request), within), Securable.of_namespace)
    found, following = await catalog_of(request).namespaces.list(within, page_of(request), seen)
    return json_response({"namespaces": [namespace.levels for namespace in found], "next-page-token": following})


async def create_namespace(request: Request) -> Response:
    async def create(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        properties = string_map(asked, "properties") if asked.get("properties") is not None else {}
        namespace = namespace_from(a_list(asked, "namespace"))
        return await catalog_of(request).namespaces.create(namespace, properties, asker_of(request), ticket)

    return await changed_once(request, create)


async def load_namespace(request: Request) -> Response:
    namespace, catalog = namespace_of(request), catalog_of(request)
    # Where its tables lie if nobody chose: Trino creates none in a namespace that does not say.
    default = {"location": catalog.warehouse.url(namespace.path)}
    properties = default | await catalog.namespaces.properties(namespace)
    return json_response({"namespace": namespace.levels, "properties": properties})


async def namespace_exists(request: Request) -> Response:
    await catalog_of(request).namespaces.properties(namespace_of(request))
    return Response(status_code=204)


async def drop_namespace(request: Request) -> Response:
    async def drop(_body: bytes, ticket: Ticket | None) -> Answer:
        return await catalog_of(request).namespaces.drop(namespace_of(request), ticket)

    return await changed_once(request, drop)


async def update_properties(request: Request) -> Response:
    async def update(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        removals = strings(asked, "removals") if asked.get("removals") is not None else []
        updates = string_map(asked, "updates") if asked.get("updates") is not None else {}
        namespaces, namespace = catalog_of(request).namespaces, namespace_of(request)
        return await namespaces.update(namespace, removals, updates, asker_of(request), ticket)

    return await changed_once(request, update)


_NAMESPACES = "/v1/{prefix}/namespaces"
_NAMESPACE = f"{_NAMESPACES}/{{namespace}}"

ROUTES = [
    Operation("GET", _NAMESPACES, list_namespaces, LISTING_NAMESPACES),
    Operation("POST", _NAMESPACES, create_namespace, CREATING_NAMESPACE),
    Operation("HEAD", _NAMESPACE, namespace_exists, requires(Privilege.LIST, on_namespace)),
    Operation("GET", _NAMESPACE, load_namespace, requires(Privilege.READ, on_namespace)),
    Operation("DELETE", _NAMESPACE, drop_namespace, requires(Privilege.WRITE, on_namespace)),
    Operation("POST", f"{_NAMESPACE}/properties", update_properties, requires(Privilege.WRITE, on_namespace)),
]

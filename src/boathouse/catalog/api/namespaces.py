"""Namespaces over HTTP."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.api.requests import catalog_of, namespace_of, page_of, parse
from boathouse.catalog.api.responses import changed_once, json_response
from boathouse.catalog.metadata.fields import a_list, string_map, strings
from boathouse.catalog.names import decode_namespace
from boathouse.catalog.names import namespace_of as namespace_from
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket


async def list_namespaces(request: Request) -> Response:
    parent = request.query_params.get("parent")
    within = decode_namespace(parent) if parent else None
    found, following = await catalog_of(request).namespaces.list(within, page_of(request))
    return json_response({"namespaces": [namespace.levels for namespace in found], "next-page-token": following})


async def create_namespace(request: Request) -> Response:
    async def create(body: bytes, ticket: Ticket | None) -> Answer:
        asked = parse(body)
        properties = string_map(asked, "properties") if asked.get("properties") is not None else {}
        namespace = namespace_from(a_list(asked, "namespace"))
        return await catalog_of(request).namespaces.create(namespace, properties, ticket)

    return await changed_once(request, create)


async def load_namespace(request: Request) -> Response:
    namespace = namespace_of(request)
    properties = await catalog_of(request).namespaces.properties(namespace)
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
        return await catalog_of(request).namespaces.update(namespace_of(request), removals, updates, ticket)

    return await changed_once(request, update)


ROUTES = [
    Route("/v1/{prefix}/namespaces", list_namespaces, methods=["GET"]),
    Route("/v1/{prefix}/namespaces", create_namespace, methods=["POST"]),
    Route("/v1/{prefix}/namespaces/{namespace}", namespace_exists, methods=["HEAD"]),
    Route("/v1/{prefix}/namespaces/{namespace}", load_namespace, methods=["GET"]),
    Route("/v1/{prefix}/namespaces/{namespace}", drop_namespace, methods=["DELETE"]),
    Route("/v1/{prefix}/namespaces/{namespace}/properties", update_properties, methods=["POST"]),
]

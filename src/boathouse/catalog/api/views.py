"""Views over HTTP."""

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.api.bodies import change_from
from boathouse.catalog.api.operations import Operation, asker_of, on_namespace, on_view, requires
from boathouse.catalog.api.relations import listed, named, registered, renamed
from boathouse.catalog.api.requests import catalog_of, parse, view_name_of
from boathouse.catalog.api.requirements import REGISTERING, RENAMING
from boathouse.catalog.api.responses import changed_once, version_response
from boathouse.catalog.metadata.fields import Json, a_string, an_object, string_map
from boathouse.catalog.service.answers import Answer
from boathouse.catalog.service.repeats import Ticket
from boathouse.catalog.service.views import NewView


async def list_views(request: Request) -> Response:
    return await listed(request, catalog_of(request).views)


async def create_view(request: Request) -> Response:
    async def create(body: bytes, ticket: Ticket | None) -> Answer:
        new = _new_view(request, parse(body))
        return await catalog_of(request).views.create(new, asker_of(request), ticket)

    return await changed_once(request, create)


async def load_view(request: Request) -> Response:
    return version_response(await catalog_of(request).views.load(view_name_of(request)))


async def view_exists(request: Request) -> Response:
    await catalog_of(request).views.check_exists(view_name_of(request))
    return Response(status_code=204)


async def replace_view(request: Request) -> Response:
    async def replace(body: bytes, ticket: Ticket | None) -> Answer:
        change = change_from(parse(body), view_name_of(request))
        return await catalog_of(request).view_changes.commit(change, asker_of(request), ticket)

    return await changed_once(request, replace)


async def drop_view(request: Request) -> Response:
    async def drop(_body: bytes, ticket: Ticket | None) -> Answer:
        return await catalog_of(request).views.drop(view_name_of(request), ticket)

    return await changed_once(request, drop)


async def register_view(request: Request) -> Response:
    return await registered(request, catalog_of(request).views)


async def rename_view(request: Request) -> Response:
    return await renamed(request, catalog_of(request).views)


def _new_view(request: Request, asked: Json) -> NewView:
    return NewView(
        name=named(request, asked),
        schema=an_object(asked, "schema"),
        version=an_object(asked, "view-version"),
        location=a_string(asked, "location") if asked.get("location") is not None else None,
        properties=string_map(asked, "properties") if asked.get("properties") is not None else {},
    )


_NAMESPACE = "/v1/{prefix}/namespaces/{namespace}"
_VIEWS = f"{_NAMESPACE}/views"
_VIEW = f"{_VIEWS}/{{view}}"

ROUTES = [
    Operation("HEAD", _VIEW, view_exists, requires(Privilege.LIST, on_view)),
    Operation("GET", _VIEW, load_view, requires(Privilege.READ, on_view)),
    Operation("POST", _VIEW, replace_view, requires(Privilege.WRITE, on_view)),
    Operation("DELETE", _VIEW, drop_view, requires(Privilege.WRITE, on_view)),
    Operation("GET", _VIEWS, list_views, requires(Privilege.LIST, on_namespace)),
    Operation("POST", _VIEWS, create_view, requires(Privilege.CREATE, on_namespace)),
    Operation("POST", f"{_NAMESPACE}/register-view", register_view, REGISTERING),
    Operation("POST", "/v1/{prefix}/views/rename", rename_view, RENAMING),
]

"""Grants over HTTP: who may do what with a thing, for whoever may manage it.

The REST specification has no such operations, so they have paths of their own. Principals and their secrets are made on the
store itself, by its owner.
"""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.access.grants import Grant
from boathouse.catalog.access.principals import Principals
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.auth import NoAuthentication
from boathouse.catalog.api.operations import Endpoint, Operation, on_namespace, on_table, on_warehouse, requires
from boathouse.catalog.api.requests import catalog_of, part
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.errors import BadRequest, Forbidden

Find = Callable[[Request], Securable]
_ROOT = "/management/v1/{prefix}"
_NAMESPACE = f"{_ROOT}/namespaces/{{namespace}}"


async def list_principals(request: Request) -> Response:
    catalog_of(request)
    return json_response({"principals": [one.name for one in await _principals(request).all()]})


def listing(find: Find) -> Endpoint:
    async def list_grants(request: Request) -> Response:
        """What was granted on it, and on what it lies in: all that holds for it."""
        catalog_of(request)
        securable = find(request)
        counting = {securable, *securable.above()}
        grants = [
            {"principal": one.name, "privilege": grant.privilege.value, **grant.securable.parts}
            for one in await _principals(request).all()
            for grant in one.grants
            if grant.securable in counting
        ]
        return json_response({"grants": grants, "enforced": request.app.state.gatekeeper is not None})

    return list_grants


def granting(find: Find) -> Endpoint:
    async def grant(request: Request) -> Response:
        await _principals(request).grant(*_asked(request, find))
        return Response(status_code=204)

    return grant


def revoking(find: Find) -> Endpoint:
    async def revoke(request: Request) -> Response:
        """Also of a grant that was not held: then it is not held either."""
        await _principals(request).revoke(*_asked(request, find))
        return Response(status_code=204)

    return revoke


def _asked(request: Request, find: Find) -> tuple[str, Grant]:
    catalog_of(request)
    if isinstance(request.app.state.authenticator, NoAuthentication):
        # A grant would outlive the day on which the catalog asks who is calling.
        raise Forbidden("This catalog asks nobody who they are, so nobody may change grants over the network")
    privilege = part(request, "privilege")
    if privilege not in set(Privilege):
        raise BadRequest(f"Invalid privilege: {privilege[:100]!r} is none of {', '.join(Privilege)}")
    return part(request, "principal"), Grant(find(request), Privilege(privilege))


def _principals(request: Request) -> Principals:
    return request.app.state.principals


def _routes(path: str, find: Find) -> list[Operation]:
    one = f"{path}/grants/{{principal}}/{{privilege}}"
    return [
        Operation("GET", f"{path}/grants", listing(find), requires(Privilege.MANAGE, find)),
        Operation("PUT", one, granting(find), requires(Privilege.MANAGE, find)),
        Operation("DELETE", one, revoking(find), requires(Privilege.MANAGE, find)),
    ]


ROUTES = [
    *_routes(f"{_NAMESPACE}/tables/{{table}}", on_table),
    *_routes(_NAMESPACE, on_namespace),
    *_routes(_ROOT, on_warehouse),
    Operation("GET", f"{_ROOT}/principals", list_principals, requires(Privilege.MANAGE, on_warehouse)),
]

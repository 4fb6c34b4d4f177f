"""An operation of the API: its route, and beside it who may call it.

Every route is an Operation, so none can be added without saying what it requires. A requirement names what the caller
must have been granted; it is checked before the operation begins, so before anybody is told whether a thing is there,
and before an idempotency key is looked up.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.auth import Caller
from boathouse.catalog.api.requests import namespace_of, table_name_of, view_name_of, warehouse_of
from boathouse.catalog.service.asker import Asker

CHANGING = frozenset({"POST", "DELETE"})
Found = TypeVar("Found")
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Need:
    privilege: Privilege
    securable: Securable


Needs = Callable[[Request], Awaitable[Iterable[Need]]]


@dataclass(frozen=True)
class Requirement:
    """What a caller needs, worked out from the request. Without `needs` not even a token is asked for."""

    needs: Needs | None


ANYBODY = Requirement(None)


def requires(privilege: Privilege, find: Callable[[Request], Securable]) -> Requirement:
    """One privilege, on what the path names."""

    async def needs(request: Request) -> Iterable[Need]:
        return (Need(privilege, find(request)),)

    return Requirement(needs)


def on_warehouse(request: Request) -> Securable:
    return Securable(warehouse_of(request))


def on_namespace(request: Request) -> Securable:
    return Securable.of_namespace(warehouse_of(request), namespace_of(request))


def on_table(request: Request) -> Securable:
    return Securable.of_table(warehouse_of(request), table_name_of(request))


def on_view(request: Request) -> Securable:
    view = view_name_of(request)
    return Securable(warehouse_of(request), view.namespace.levels, view.name, kind="view")


class Operation(Route):
    def __init__(
        self, method: str, path: str, endpoint: Endpoint, requirement: Requirement, *, reads: bool = False
    ) -> None:
        """`reads` for a POST that changes nothing: what it asks for is only too long for an address."""
        # Starlette's parameters are named as Python's are; the path goes on to be called as the specification does.
        super().__init__(path.replace("plan-id", "plan_id"), _guarded(endpoint, requirement), methods=[method])
        self.path = path
        self.method = method
        self.requirement = requirement
        self.changes = method in CHANGING and not reads


def caller_of(request: Request) -> Caller:
    return request.scope["state"]["caller"]


def asker_of(request: Request) -> Asker:
    """The caller, for what is decided on the way by what they may do."""
    return Asker(warehouse_of(request), caller_of(request).allowed)


def visible(
    request: Request, within: Securable, securable: Callable[[str, Found], Securable]
) -> Callable[[Found], bool] | None:
    """Whether the caller may see one of what lies inside `within`; None if they see all of it."""
    grants = caller_of(request).grants
    if grants is None or grants.inherit(Privilege.LIST, within):
        return None
    return lambda one: grants.allow(Privilege.LIST, securable(within.warehouse, one))


def _guarded(endpoint: Endpoint, requirement: Requirement) -> Endpoint:
    needs = requirement.needs
    if needs is None:
        return endpoint

    @wraps(endpoint)
    async def guarded(request: Request) -> Response:
        caller = caller_of(request)
        if caller.grants is not None:
            for need in await needs(request):
                caller.require(need.privilege, need.securable)
        return await endpoint(request)

    return guarded

"""What a caller must be granted where the path does not say it all: the body or the query names the rest."""

from collections.abc import Iterable

from starlette.requests import Request

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.bodies import change_from, changes_from, table_from
from boathouse.catalog.api.operations import Need, Requirement, on_namespace, on_table
from boathouse.catalog.api.requests import flag, json_of, namespace_of, table_name_of, warehouse_of
from boathouse.catalog.metadata.fields import a_bool, a_list, an_object
from boathouse.catalog.metadata.requirements import asserts_create
from boathouse.catalog.names import Namespace, decode_namespace, table_of
from boathouse.catalog.names import namespace_of as namespace_from
from boathouse.catalog.service.changes import Change


async def _listing_namespaces(request: Request) -> Iterable[Need]:
    parent = request.query_params.get("parent")
    within = decode_namespace(parent) if parent else None
    return (Need(Privilege.LIST, Securable.of_namespace(warehouse_of(request), within)),)


async def _creating_namespace(request: Request) -> Iterable[Need]:
    asked = await json_of(request)
    return (_creating(request, namespace_from(a_list(asked, "namespace")).parent),)


async def _committing(request: Request) -> Iterable[Need]:
    return (_changing(request, change_from(await json_of(request), table_name_of(request))),)


async def _committing_all(request: Request) -> Iterable[Need]:
    return [_changing(request, change) for change in changes_from(await json_of(request))]


async def _dropping(request: Request) -> Iterable[Need]:
    # A dropped table can be registered again; deleted files are gone.
    return (Need(Privilege.MANAGE if flag(request, "purgeRequested") else Privilege.WRITE, on_table(request)),)


async def _registering(request: Request) -> Iterable[Need]:
    asked = await json_of(request)
    needs = [Need(Privilege.CREATE, on_namespace(request))]
    if asked.get("overwrite") is not None and a_bool(asked, "overwrite"):
        table = table_of(namespace_of(request), asked.get("name"))
        needs.append(Need(Privilege.WRITE, Securable.of_table(warehouse_of(request), table)))
    return needs


async def _renaming(request: Request) -> Iterable[Need]:
    asked = await json_of(request)
    source = Securable.of_table(warehouse_of(request), table_from(an_object(asked, "source")))
    target = table_from(an_object(asked, "destination"))
    return Need(Privilege.WRITE, source), _creating(request, target.namespace)


def _changing(request: Request, change: Change) -> Need:
    """A commit that asserts that its table is not there can only create it; any other can only change it."""
    if asserts_create(change.requirements):
        return _creating(request, change.name.namespace)
    return Need(Privilege.WRITE, Securable.of_table(warehouse_of(request), change.name))


def _creating(request: Request, within: Namespace | None) -> Need:
    return Need(Privilege.CREATE, Securable.of_namespace(warehouse_of(request), within))


LISTING_NAMESPACES = Requirement(_listing_namespaces)
"""To list what the namespaces lie in."""
CREATING_NAMESPACE = Requirement(_creating_namespace)
"""To create in the namespace above, or in the warehouse."""
COMMITTING = Requirement(_committing)
"""To write the table; to create in its namespace if the commit creates it."""
COMMITTING_ALL = Requirement(_committing_all)
"""The same for each table of a transaction."""
DROPPING = Requirement(_dropping)
"""To write the table; to manage it if its files are to be deleted too."""
REGISTERING = Requirement(_registering)
"""To create in the namespace; also to write a table that is overwritten."""
RENAMING = Requirement(_renaming)
"""To write what is renamed, and to create where it goes. Tables and views alike."""

"""What a client gets with a table to reach its files, when it asks for it by X-Iceberg-Access-Delegation."""

from collections.abc import Callable
from urllib.parse import quote

from starlette.requests import Request

from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from boathouse.catalog.api.operations import caller_of
from boathouse.catalog.api.requests import catalog_of, header_of, warehouse_of
from boathouse.catalog.metadata.fields import Json
from boathouse.catalog.names import LEVEL, TableName
from boathouse.catalog.service.storage_access import Bearer, Delegation, Endpoints

STAGED = "staged"
"""The parameter in which a client brings back where its staged table lies."""


async def delegated(
    request: Request, table: TableName, metadata: Callable[[], Json], *, staged: bool = False
) -> Delegation | None:
    """What the caller may have of what it asks for. Who asks for nothing is not made to wait for metadata to be parsed."""
    asked = header_of(request, b"x-iceberg-access-delegation")
    if not asked:
        return None
    mechanisms = [one.strip().lower() for one in asked.split(",") if one.strip()]
    bearer = _bearer(request, table, staged=staged) if mechanisms else None
    if bearer is None:
        return None
    access = catalog_of(request).storage_access
    extent = await access.extent_of(table, metadata())
    sealed = access.seal(table, extent.location) if staged else None
    return await access.delegate(mechanisms, extent, bearer, _endpoints(request, table, sealed))


def _bearer(request: Request, table: TableName, *, staged: bool) -> Bearer | None:
    """Whoever may create a table may write its files until it is there. Then it takes a grant on it."""
    caller, securable = caller_of(request), Securable.of_table(warehouse_of(request), table)
    writes = staged or caller.allowed(Privilege.WRITE, securable)
    return Bearer(caller.name, writes) if writes or caller.allowed(Privilege.READ, securable) else None


def _endpoints(request: Request, table: TableName, sealed: str | None) -> Endpoints:
    levels = quote(LEVEL.join(table.namespace.levels), safe="")
    path = f"v1/{quote(warehouse_of(request), safe='')}/namespaces/{levels}/tables/{quote(table.name, safe='')}"
    staged = f"?{STAGED}={sealed}" if sealed else ""
    return Endpoints(f"{path}/sign{staged}", f"{path}/credentials{staged}")

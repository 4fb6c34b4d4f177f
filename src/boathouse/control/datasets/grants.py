"""Who may do what with a table in the lakehouse's own catalog. Whoever else's catalog it is keeps its grants to itself."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.datasets import service
from boathouse.control.datasets.catalogs import Catalogs, Source
from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.control.datasets.table_schemas import GrantsTold, GrantTold, GrantWanted
from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import Conflict, Forbidden

Json = dict[str, Any]


async def held(session: AsyncSession, scope: Scope, catalogs: Catalogs, name: str) -> GrantsTold:
    source, table = await _in_lake(session, scope, catalogs, name)
    return await source.ask(lambda: _held(source, table, with_principals=scope.actor.administers))


async def grant(source: Source, name: str, wanted: GrantWanted) -> None:
    await source.ask(lambda: _change(source, TableName.parse(name), wanted, revoke=False))


async def revoke(source: Source, name: str, wanted: GrantWanted) -> None:
    await source.ask(lambda: _change(source, TableName.parse(name), wanted, revoke=True))


async def to_change(session: AsyncSession, scope: Scope, catalogs: Catalogs, name: str) -> Source:
    """The catalog, for who may change grants in it: it is the installation's, and not one workspace's."""
    source, _ = await _in_lake(session, scope, catalogs, name)
    if not scope.actor.administers:
        raise Forbidden(
            f"{scope.actor.name} may not change grants in the lakehouse's catalog: it takes the role of a platform admin.",
            hint="Ask one.",
        )
    return source


async def _in_lake(session: AsyncSession, scope: Scope, catalogs: Catalogs, name: str) -> tuple[Source, TableName]:
    dataset, _ = await service.get(session, scope, name)
    # The catalog may take its time, in which others can use our connection to the database.
    await session.close()
    if not dataset.in_lake:
        raise Conflict(
            f"{name} is not in the lakehouse's own catalog, so its grants are not known here.",
            hint="Look at them with the catalog's own tools.",
        )
    return catalogs.lake(), TableName.parse(name)


def _held(source: Source, table: TableName, *, with_principals: bool) -> GrantsTold:
    with source.client() as catalog, as_iceberg_has_it(str(table)):
        found = catalog.grants(table)
        return GrantsTold(
            enforced=found["enforced"],
            grants=[_told(one) for one in found["grants"]],
            principals=catalog.principals() if with_principals else None,
        )


def _told(one: Json) -> GrantTold:
    namespace, table = one["namespace"], one["table"]
    kind = "table" if table else "namespace" if namespace else "warehouse"
    on = ".".join((*(namespace or []), *([table] if table else []))) or one["warehouse"]
    return GrantTold(principal=one["principal"], privilege=one["privilege"], kind=kind, on=on, inherited=not table)


def _change(source: Source, table: TableName, wanted: GrantWanted, *, revoke: bool) -> None:
    with source.client() as catalog:
        change = catalog.revoke if revoke else catalog.grant
        change(table, wanted.principal, wanted.privilege)

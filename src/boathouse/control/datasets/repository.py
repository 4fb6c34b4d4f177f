"""Datasets in the database, always of one workspace."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.models import Connection
from boathouse.control.datasets.models import Dataset

DatasetAndConnection = tuple[Dataset, str | None]
"""A dataset, and the name of the connection to its catalog."""


@dataclass(frozen=True)
class Wanted:
    words: tuple[str, ...] = ()
    """Each of which must be in it somewhere."""
    tag: str | None = None
    owner: str | None = None
    gone: bool | None = None
    namespace: str | None = None
    """And what is further down in it."""


def _both(scope: Scope) -> Select[Dataset, str]:
    return (
        select(Dataset, Connection.name)
        .outerjoin(Connection, Connection.id == Dataset.connection_id)
        .where(Dataset.workspace_id == scope.workspace_id)
    )


async def by_name(session: AsyncSession, scope: Scope, name: str) -> DatasetAndConnection | None:
    found = (await session.execute(_both(scope).where(Dataset.name == name))).first()
    return (found[0], found[1]) if found else None


async def find(
    session: AsyncSession, scope: Scope, wanted: Wanted, *, after: str | None, limit: int
) -> list[DatasetAndConnection]:
    """By name. One query, whatever is searched for."""
    query = _both(scope)
    for word in wanted.words:
        query = query.where(Dataset.words.contains(word, autoescape=True))
    if wanted.tag is not None:
        # As the list of words has it, between two ends of lines.
        query = query.where(Dataset.words.contains(f"\n#{wanted.tag}\n", autoescape=True))
    if wanted.owner is not None:
        query = query.where(Dataset.owner == wanted.owner)
    if wanted.gone is not None:
        query = query.where(Dataset.gone_at.is_not(None) if wanted.gone else Dataset.gone_at.is_(None))
    if wanted.namespace is not None:
        query = query.where(Dataset.name.startswith(f"{wanted.namespace}.", autoescape=True))
    if after is not None:
        query = query.where(Dataset.name > after)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Dataset.name).limit(limit))]


async def names_and_tags(session: AsyncSession, scope: Scope) -> list[tuple[str, list[str]]]:
    query = select(Dataset.name, Dataset.tags).where(Dataset.workspace_id == scope.workspace_id)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def written_last(session: AsyncSession, scope: Scope, limit: int) -> tuple[list[Dataset], int]:
    """Tables that a catalog is known to hold, those with the newest commits first; and how many there are."""
    held = Dataset.in_lake | Dataset.connection_id.is_not(None)
    there = (Dataset.workspace_id == scope.workspace_id, Dataset.gone_at.is_(None), held)
    query = select(Dataset).where(*there).order_by(Dataset.committed_at.desc().nulls_last(), Dataset.name).limit(limit)
    count = await session.scalar(select(func.count()).select_from(Dataset).where(*there))
    return list((await session.scalars(query)).all()), count or 0


async def connections_of(session: AsyncSession, datasets: Sequence[Dataset]) -> dict[str, Connection]:
    ids = {dataset.connection_id for dataset in datasets if dataset.connection_id}
    found = await session.scalars(select(Connection).where(Connection.id.in_(ids)))
    return {connection.id: connection for connection in found}


async def every(session: AsyncSession, scope: Scope) -> list[Dataset]:
    """For a sync, which compares them with all that a catalog has."""
    return list((await session.scalars(select(Dataset).where(Dataset.workspace_id == scope.workspace_id))).all())


async def known(session: AsyncSession, workspace_id: str, names: set[str]) -> dict[str, Dataset]:
    query = select(Dataset).where(Dataset.workspace_id == workspace_id, Dataset.name.in_(names))
    return {dataset.name: dataset for dataset in (await session.scalars(query)).all()}

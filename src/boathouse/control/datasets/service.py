"""What people can do with datasets."""

from collections import Counter
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections import repository as connections
from boathouse.control.connections.models import Connection
from boathouse.control.database.base import now
from boathouse.control.datasets import repository
from boathouse.control.datasets.models import Dataset
from boathouse.control.datasets.repository import DatasetAndConnection
from boathouse.control.datasets.schemas import DatasetChange, DatasetTold, GroupCount, Groups, NewDataset
from boathouse.kit import table_metadata as meta
from boathouse.kit.errors import Conflict, InvalidInput, NotFound
from boathouse.kit.ids import new_uuid

Json = dict[str, Any]
CATALOG_KIND = "iceberg-rest"


async def register(session: AsyncSession, scope: Scope, wanted: NewDataset) -> DatasetTold:
    connection = await catalog_connection(session, scope, wanted.connection) if wanted.connection else None
    dataset = Dataset(
        id=new_uuid(),
        workspace_id=scope.workspace_id,
        name=wanted.name,
        format=wanted.format.value,
        location=wanted.location,
        owner=scope.actor.name if wanted.owner is None else wanted.owner,
        description=wanted.description,
        tags=_tags(wanted.tags),
        in_lake=False,
        connection_id=connection.id if connection else None,
        columns=[],
        created_at=now(),
        updated_at=now(),
    )
    dataset.words = words_of(dataset)
    session.add(dataset)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(f"There is a dataset {wanted.name!r} already.", hint="Change that one, or remove it.") from None
    return told((dataset, wanted.connection))


async def get(session: AsyncSession, scope: Scope, name: str) -> DatasetAndConnection:
    found = await repository.by_name(session, scope, name)
    if found is None:
        raise NotFound(
            f"There is no dataset {name!r} in {scope.workspace}.",
            hint="Its datasets are listed there; a sync adds those that a catalog has.",
        )
    return found


async def change(session: AsyncSession, scope: Scope, name: str, wanted: DatasetChange) -> DatasetTold:
    dataset, connection = await get(session, scope, name)
    if wanted.location is not None:
        _refuse_if_in_catalog(dataset)
    for field, value in wanted.model_dump(exclude_none=True).items():
        setattr(dataset, field, _tags(value) if field == "tags" else value)
    dataset.words, dataset.updated_at = words_of(dataset), now()
    await session.flush()
    return told((dataset, connection))


async def note_snapshot(session: AsyncSession, scope: Scope, name: str, metadata: Json, snapshot_id: int) -> None:
    """That this is the table's current one now, for the list to say without a sync."""
    dataset, _ = await get(session, scope, name)
    found = next(one for one in metadata["snapshots"] if one["snapshot-id"] == snapshot_id)
    for field, value in meta.state_of(found).items():
        setattr(dataset, field, value)
    dataset.updated_at = now()


async def remove(session: AsyncSession, scope: Scope, name: str) -> None:
    dataset, _ = await get(session, scope, name)
    await session.delete(dataset)
    await session.flush()


async def catalog_connection(session: AsyncSession, scope: Scope, name: str) -> Connection:
    connection = await connections.by_name(session, scope, name)
    if connection is None:
        raise NotFound(
            f"There is no connection {name!r} in {scope.workspace}.", hint="Its connections are listed there."
        )
    if connection.kind != CATALOG_KIND:
        raise InvalidInput(
            f"The connection {name} is of the kind {connection.kind}, which holds no tables of Iceberg.",
            hint=f"Take one of the kind {CATALOG_KIND}.",
        )
    return connection


async def groups(session: AsyncSession, scope: Scope) -> Groups:
    """Also of those that are gone: they are listed, and can be found."""
    rows = await repository.names_and_tags(session, scope)
    namespaces = Counter(name.rpartition(".")[0] for name, _ in rows)
    tags = Counter(tag for _, given in rows for tag in given)
    return Groups(datasets=len(rows), namespaces=_counted(namespaces), tags=_counted(tags))


def words_of(dataset: Dataset) -> str:
    """Folded here, for the databases do not agree on what small letters are."""
    tags = [f"#{tag}" for tag in dataset.tags]
    parts = (dataset.name, *tags, dataset.owner, dataset.description, *dataset.columns)
    return "".join(f"\n{part}" for part in parts).casefold() + "\n"


def words_in(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").casefold().split())


def told(found: DatasetAndConnection) -> DatasetTold:
    dataset, connection = found
    names = DatasetTold.model_fields.keys() - {"catalog"}
    catalog = f"connection {connection}" if connection else "lake" if dataset.in_lake else None
    return DatasetTold(**{name: getattr(dataset, name) for name in names}, catalog=catalog)


def _counted(counts: Counter[str]) -> list[GroupCount]:
    return [GroupCount(name=name, datasets=count) for name, count in sorted(counts.items())]


def _tags(given: list[str]) -> list[str]:
    return sorted(set(given))


def _refuse_if_in_catalog(dataset: Dataset) -> None:
    if dataset.in_lake or dataset.connection_id is not None:
        raise Conflict(f"Where {dataset.name} lies is for its catalog to say.", hint="A sync tells it anew.")

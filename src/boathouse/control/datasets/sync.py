"""Datasets brought up to date with a catalog. What people wrote of them stays, also of those that are gone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.database.base import now
from boathouse.control.datasets import repository
from boathouse.control.datasets.models import Dataset
from boathouse.control.datasets.schemas import DatasetName, LeftOut, Synced
from boathouse.control.datasets.service import words_of
from boathouse.control.datasets.walk import FoundTable, Walked
from boathouse.kit.ids import new_uuid

_MOST_TOLD = 100
_NAME: TypeAdapter[str] = TypeAdapter(DatasetName)
_FROM_CATALOG = ("location", "columns", "rows", "files", "bytes", "committed_at")


@dataclass(frozen=True)
class Origin:
    """The catalog: a connection's, or the lakehouse's own."""

    connection_id: str | None

    def has(self, dataset: Dataset) -> bool:
        return dataset.connection_id == self.connection_id and dataset.in_lake == (self.connection_id is None)

    def may_have(self, dataset: Dataset) -> bool:
        """Also one that somebody registered without saying where it is."""
        by_hand = dataset.connection_id is None and not dataset.in_lake and dataset.format == "iceberg"
        return by_hand or self.has(dataset)


@dataclass
class _Counts:
    added: int = 0
    changed: int = 0
    renamed: int = 0
    returned: int = 0
    unchanged: int = 0
    gone: int = 0
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])


async def keep(session: AsyncSession, scope: Scope, origin: Origin, walked: Walked) -> Synced:
    known = {dataset.name: dataset for dataset in await repository.every(session, scope)}
    counts, at = _Counts(), now()
    counts.left_out += [LeftOut(name=name, why=why) for name, why in walked.unreadable.items()]
    there = {table.name: table for table in _suitable(walked.tables, counts)}
    renamed = _renamed(known, there, origin, walked)
    for name, table in sorted(there.items()):
        dataset = renamed.get(name) or known.get(name)
        if dataset is None:
            session.add(_new(scope, origin, table, at))
            counts.added += 1
        elif not origin.may_have(dataset):
            counts.left_out.append(LeftOut(name=name, why="A dataset of another catalog has this name."))
        else:
            _bring_up_to_date(dataset, origin, table, at, counts)
    kept = {dataset.id for dataset in renamed.values()}
    present = {*there, *walked.unreadable}
    for dataset in known.values():
        if origin.has(dataset) and dataset.id not in kept and dataset.name not in present and dataset.gone_at is None:
            dataset.gone_at = dataset.updated_at = at
            counts.gone += 1
    await session.flush()
    return _told(walked, counts)


def _suitable(tables: list[FoundTable], counts: _Counts) -> Iterator[FoundTable]:
    for table in tables:
        try:
            _NAME.validate_python(table.name)
        except ValidationError:
            counts.left_out.append(LeftOut(name=table.name, why="Such a name cannot stand in an address."))
        else:
            yield table


def _renamed(
    known: Mapping[str, Dataset], there: Mapping[str, FoundTable], origin: Origin, walked: Walked
) -> dict[str, Dataset]:
    """Datasets by the new names of their tables: the same table is there, and under a name that is nobody's yet."""
    missing = {
        dataset.table_uuid: dataset
        for dataset in known.values()
        if origin.has(dataset)
        and dataset.table_uuid
        and dataset.name not in there
        and dataset.name not in walked.unreadable
    }
    return {name: missing[table.uuid] for name, table in there.items() if name not in known and table.uuid in missing}


def _new(scope: Scope, origin: Origin, table: FoundTable, at: datetime) -> Dataset:
    dataset = Dataset(
        id=new_uuid(),
        workspace_id=scope.workspace_id,
        format="iceberg",
        owner="",
        description="",
        tags=[],
        created_at=at,
        updated_at=at,
    )
    _take_over(dataset, origin, table)
    return dataset


def _bring_up_to_date(dataset: Dataset, origin: Origin, table: FoundTable, at: datetime, counts: _Counts) -> None:
    if dataset.gone_at is not None:
        counts.returned += 1
    elif dataset.name != table.name:
        counts.renamed += 1
    elif origin.has(dataset) and _state(dataset) == _state(table) and dataset.table_uuid == table.uuid:
        counts.unchanged += 1
        return
    else:
        counts.changed += 1
    dataset.gone_at, dataset.updated_at = None, at
    _take_over(dataset, origin, table)


def _take_over(dataset: Dataset, origin: Origin, table: FoundTable) -> None:
    dataset.name, dataset.table_uuid = table.name, table.uuid
    dataset.in_lake, dataset.connection_id = origin.connection_id is None, origin.connection_id
    for name in _FROM_CATALOG:
        setattr(dataset, name, getattr(table, name))
    dataset.words = words_of(dataset)


def _state(one: Dataset | FoundTable) -> list[object]:
    return [getattr(one, name) for name in _FROM_CATALOG]


def _told(walked: Walked, counts: _Counts) -> Synced:
    told = {name: getattr(counts, name) for name in ("added", "changed", "renamed", "returned", "unchanged", "gone")}
    found = len(walked.tables) + len(walked.unreadable)
    return Synced(found=found, **told, left_out=counts.left_out[:_MOST_TOLD])

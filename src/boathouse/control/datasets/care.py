"""Which tables of a workspace need care: judged by their metadata alone, so that a page can ask for many at once.

Nothing of it is kept but for a minute, and there is no score: each table comes with the facts that speak for care. How many files
are small is for `health` to count from the manifests; here it is the average that is judged.
"""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.access.actor import Scope
from boathouse.control.connections.models import Connection
from boathouse.control.datasets import described, health, repository
from boathouse.control.datasets.catalogs import Catalogs, Source
from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.control.datasets.models import Dataset
from boathouse.control.datasets.table_schemas import TableInNeed, TablesInNeed, Verdict
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit.catalog_client import CatalogClient, TableName
from boathouse.kit.errors import BoathouseError

# Those written last. Each is one request to the catalog.
_MOST = 100
_AT_ONCE = 8
_KEPT_SECONDS = 60.0


@dataclass
class Care:
    catalogs: Catalogs
    _kept: dict[str, tuple[float, TablesInNeed]] = field(default_factory=dict[str, tuple[float, TablesInNeed]])
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary[str, asyncio.Lock])

    async def told(self, work: AsyncSession, scope: Scope) -> TablesInNeed:
        """Each workspace at most once a minute, however many pages are open."""
        until, kept = self._kept.get(scope.workspace_id, (0.0, None))
        if kept is not None and time.monotonic() < until:
            return kept
        async with self._turns.setdefault(scope.workspace_id, asyncio.Lock()):
            until, kept = self._kept.get(scope.workspace_id, (0.0, None))
            if kept is None or time.monotonic() >= until:
                kept = await self._looked(work, scope)
                self._kept[scope.workspace_id] = time.monotonic() + _KEPT_SECONDS, kept
            return kept

    async def _looked(self, work: AsyncSession, scope: Scope) -> TablesInNeed:
        datasets, tables = await repository.written_last(work, scope, _MOST)
        connections = await repository.connections_of(work, datasets)
        # Catalogs may take their time, in which others can use our connection to the database.
        await work.close()
        found: list[TableInNeed] = []
        for connection, group in _by_catalog(datasets, connections):
            try:
                source = await self.catalogs.behind(connection) if connection else self.catalogs.lake()
                found += await source.ask(partial(_judged, source, group))
            except BoathouseError as error:
                found += [TableInNeed(name=one.name, facts=[], unreadable=str(error)) for one in group]
        needy = [one for one in found if one.facts or one.unreadable]
        return TablesInNeed(items=needy, looked_at=len(datasets), tables=tables)


def _by_catalog(
    datasets: Sequence[Dataset], connections: dict[str, Connection]
) -> list[tuple[Connection | None, list[Dataset]]]:
    groups: dict[str | None, list[Dataset]] = {}
    for dataset in datasets:
        groups.setdefault(dataset.connection_id, []).append(dataset)
    return [(connections[key] if key else None, group) for key, group in groups.items()]


def _judged(source: Source, datasets: Sequence[Dataset]) -> list[TableInNeed]:
    with source.client() as catalog, ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(partial(_one, source, catalog), [dataset.name for dataset in datasets]))


def _one(source: Source, catalog: CatalogClient, name: str) -> TableInNeed:
    try:
        table = TableName.parse(name)
        with as_iceberg_has_it(name):
            live = LiveTable(table, source, catalog.load_table(table))
            facts = health.by_metadata(described.table(live))
    except BoathouseError as error:
        return TableInNeed(name=name, facts=[], unreadable=str(error))
    return TableInNeed(name=name, facts=[fact for fact in facts if fact.verdict is Verdict.ATTENTION])

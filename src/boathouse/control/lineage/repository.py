"""Lineage in the database."""

from collections.abc import Collection
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Insert, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import Base
from boathouse.control.lineage.models import Direction, LineageEdge, LineageRun, LineageUse
from boathouse.kit.ids import first_uuid


async def run(session: AsyncSession, workspace_id: str, run_id: str) -> LineageRun | None:
    query = select(LineageRun).where(LineageRun.workspace_id == workspace_id, LineageRun.run_id == run_id)
    return await session.scalar(query.with_for_update())


async def uses(session: AsyncSession, workspace_id: str, run_id: str) -> list[LineageUse]:
    query = (
        select(LineageUse)
        .join(LineageRun, LineageRun.id == LineageUse.lineage_run_id)
        .where(LineageRun.workspace_id == workspace_id, LineageRun.run_id == run_id)
        .order_by(LineageUse.dataset)
    )
    return list((await session.scalars(query)).all())


async def add_run(session: AsyncSession, values: dict[str, Any]) -> None:
    """If it is not there yet."""
    await session.execute(_insert(session, LineageRun).values(**values).on_conflict_do_nothing())


async def add_uses(session: AsyncSession, lineage_run_id: str, touched: Collection[tuple[Direction, str]]) -> None:
    for direction, dataset in sorted(touched):
        values = {"lineage_run_id": lineage_run_id, "direction": direction, "dataset": dataset}
        await session.execute(_insert(session, LineageUse).values(**values).on_conflict_do_nothing())


async def keep_edge(session: AsyncSession, values: dict[str, Any]) -> None:
    """Two runs may end at once: the later one stays, whichever comes first."""
    insert = _insert(session, LineageEdge).values(**values)
    latest = {name: values[name] for name in ("job_id", "last_run", "last_at")}
    older = LineageEdge.last_at <= values["last_at"]
    await session.execute(insert.on_conflict_do_update(index_elements=["id"], set_=latest, where=older))


async def forget_old(session: AsyncSession, before: datetime, limit: int) -> int:
    """The oldest runs that told nothing since then; how many. What is known of each job stays."""
    old = select(LineageRun.id).where(LineageRun.id < first_uuid(before), LineageRun.at < before)
    runs = list((await session.scalars(old.order_by(LineageRun.id).limit(limit))).all())
    await session.execute(delete(LineageRun).where(LineageRun.id.in_(runs)))
    return len(runs)


async def edges_of_datasets(
    session: AsyncSession, workspace_id: str, direction: Direction, datasets: Collection[str], limit: int
) -> list[LineageEdge]:
    query = select(LineageEdge).where(
        LineageEdge.workspace_id == workspace_id,
        LineageEdge.direction == direction,
        LineageEdge.dataset.in_(datasets),
    )
    return list((await session.scalars(query.order_by(LineageEdge.id).limit(limit))).all())


async def edges_of_jobs(
    session: AsyncSession,
    workspace_id: str,
    jobs: Collection[tuple[str, str]],
    limit: int,
    direction: Direction | None = None,
) -> list[LineageEdge]:
    """Of jobs by namespace and name."""
    names = {name for _, name in jobs}
    query = select(LineageEdge).where(LineageEdge.workspace_id == workspace_id, LineageEdge.job.in_(names))
    query = query.where(LineageEdge.namespace.in_({namespace for namespace, _ in jobs}))
    if direction is not None:
        query = query.where(LineageEdge.direction == direction)
    found = (await session.scalars(query.order_by(LineageEdge.id).limit(limit))).all()
    return [edge for edge in found if (edge.namespace, edge.job) in jobs]


def edge_values(
    workspace_id: str, job: tuple[str, str], job_id: str | None, use: tuple[Direction, str], last: tuple[str, datetime]
) -> dict[str, Any]:
    parts = (workspace_id, *job, *use)
    return {
        "id": sha256("\0".join(parts).encode()).hexdigest(),
        "workspace_id": workspace_id,
        "job_id": job_id,
        "namespace": job[0],
        "job": job[1],
        "direction": use[0],
        "dataset": use[1],
        "last_run": last[0],
        "last_at": last[1],
    }


def _insert(session: AsyncSession, table: type[Base]) -> Any:
    """Both dialects have the same, each in a class of its own."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    insert: Insert = dialect.insert(table)
    return insert

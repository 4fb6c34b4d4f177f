"""What a run touched, written down in the transaction in which it ends well."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncSession

from boathouse.control.database.base import now
from boathouse.control.datasets.models import NAME_LENGTH
from boathouse.control.jobs.touched import Touched
from boathouse.control.lineage import repository
from boathouse.control.lineage.models import Direction
from boathouse.control.runs.models import Run
from boathouse.kit.ids import new_uuid

Use = tuple[Direction, str]
COMPLETE = "COMPLETE"
# Of one run. A statement over more tables is made by a machine, and nobody follows its lines.
_MOST = 1000


@dataclass(frozen=True)
class Teller:
    """The run that tells, and whose it is."""

    workspace_id: str
    job_id: str | None
    namespace: str
    job: str
    run_id: str


async def record(session: AsyncSession, run: Run, touched: Touched, at: datetime) -> None:
    """Of a run of ours. The tasks of a flow are told as the flow's own."""
    teller = Teller(run.workspace_id, run.job_id, "", run.job, run.id)
    uses = uses_of(touched)
    await tell(session, teller, COMPLETE, uses, at)
    await keep_edges(session, teller, uses, at)


async def tell(session: AsyncSession, teller: Teller, state: str, uses: Collection[Use], at: datetime) -> None:
    values = {"id": new_uuid(), "created_at": now(), "state": state, "at": at, **vars(teller)}
    await repository.add_run(session, values)
    known = await repository.run(session, teller.workspace_id, teller.run_id)
    if known is not None:
        await repository.add_uses(session, known.id, uses)


async def keep_edges(session: AsyncSession, teller: Teller, uses: Collection[Use], at: datetime) -> None:
    # In one order, so that two runs that end at once do not wait for each other.
    for use in sorted(uses):
        job = (teller.namespace, teller.job)
        values = repository.edge_values(teller.workspace_id, job, teller.job_id, use, (teller.run_id, at))
        await repository.keep_edge(session, values)


def uses_of(touched: Touched) -> list[Use]:
    reads = [(Direction.READS, bounded(name)) for name in sorted(touched.reads)]
    writes = [(Direction.WRITES, bounded(name)) for name in sorted(touched.writes)]
    return (reads + writes)[:_MOST]


def bounded(name: str, longest: int = NAME_LENGTH) -> str:
    """As it is, or so much of it as there is room for, and what tells it from others that begin alike."""
    name = name.replace("\0", "\ufffd")  # Postgres cannot keep NUL
    return name if len(name) <= longest else f"{name[: longest - 17]}~{sha256(name.encode()).hexdigest()[:16]}"

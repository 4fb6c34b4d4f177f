"""A workspace with jobs, and workers that do nothing but what a test tells them."""

from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select, update

from boathouse.control.database import Database
from boathouse.control.database.base import now
from boathouse.control.jobs.models import Job, JobVersion
from boathouse.control.runs.leases import Leases
from boathouse.control.runs.models import Run
from tests.behaviour.control.control_plane import Caller, ControlPlane

SQL: dict[str, Any] = {"kind": "sql", "spec": {"sql": "SELECT 1"}, "concurrency": {"most": 100}}
JOBS = "/workspaces/north/jobs"
RUNS = "/workspaces/north/runs"


class Work:
    """The control plane, its one workspace, and whoever asks for runs in it."""

    def __init__(self, control: ControlPlane) -> None:
        self.control = control
        self.database: Database = control.database
        self.caller: Caller = control.admin

    async def job(self, name: str = "daily", **definition: Any) -> Any:
        return (await self.caller.ask("PUT", f"{JOBS}/{name}", {**SQL, **definition}))["job"]

    async def lose_job(self, name: str) -> None:
        """A job that is a task of a flow is removed by nobody; one that was before that was so is gone all the same."""
        async with self.database.changing() as session:
            await session.execute(delete(Job).where(Job.name == name))

    async def spoil(self, name: str, **later: Any) -> None:
        """As if a later release had written the job's version, with something that this one does not know."""
        async with self.database.changing() as session:
            job = (await session.scalars(select(Job).where(Job.name == name))).one()
            version = await session.get_one(JobVersion, (job.id, job.version))
            version.definition = {**version.definition, **(later or {"tide": "high"})}

    async def submit(self, name: str = "daily", status: int = 201, **wanted: Any) -> Any:
        return await self.caller.post(f"{JOBS}/{name}/runs", wanted, status=status)

    async def run(self, run: Any) -> Any:
        return await self.caller.get(f"{RUNS}/{run['id']}")

    async def stop(self, run: Any, status: int = 200) -> Any:
        return await self.caller.post(f"{RUNS}/{run['id']}/stop", status=status)

    async def again(self, run: Any, status: int = 200) -> Any:
        return await self.caller.post(f"{RUNS}/{run['id']}/retry", status=status)

    def worker(self, name: str = "w1") -> Leases:
        return Leases(self.database, name)

    async def let_leases_end(self, worker: str) -> None:
        """As if so much time had passed that the worker's leases are over."""
        async with self.database.changing() as session:
            await session.execute(
                update(Run).where(Run.worker == worker).values(lease_until=now() - timedelta(seconds=1))
            )

    async def let_delays_end(self) -> None:
        async with self.database.changing() as session:
            await session.execute(update(Run).values(available_at=now() - timedelta(seconds=1)))

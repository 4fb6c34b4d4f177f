"""Runs that should be over and are not. They go on; who wants to know is told."""

from boathouse.control.database import Database
from boathouse.control.notifications import events
from boathouse.control.runs import repository
from boathouse.control.runs.clock import database_time


async def tell_missed(database: Database) -> int:
    """Once for each run, whoever looks; how many there were."""
    async with database.reading() as session:
        # Mostly there is none, and a look takes nobody's turn.
        if not await repository.any_overdue(session, await database_time(session)):
            return 0
    async with database.changing() as session:
        at = await database_time(session)
        runs = await repository.overdue(session, at)
        for run in runs:
            await events.deadline_missed(session, run, at)
        return len(runs)

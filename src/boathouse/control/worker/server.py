"""The worker as a process."""

import asyncio
import os
import signal
import socket
from dataclasses import dataclass
from datetime import timedelta

from boathouse.control.database import migrate, open_database
from boathouse.control.runs.leases import Leases
from boathouse.control.worker.worker import Worker, WorkerOptions
from boathouse.kit.ids import new_uuid
from boathouse.kit.serving import configure_logging


@dataclass(frozen=True)
class ProcessOptions:
    database: str
    worker: WorkerOptions
    name: str | None = None
    lease_seconds: float = 30.0


def run_worker(options: ProcessOptions) -> None:
    """Work until SIGTERM or SIGINT."""
    configure_logging()
    asyncio.run(_run(options))


async def _run(options: ProcessOptions) -> None:
    database = open_database(options.database)
    try:
        await migrate(database)
        worker = Worker(
            Leases(database, options.name or _name(), timedelta(seconds=options.lease_seconds)), options.worker
        )
        for stop in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(stop, worker.stop)
        await worker.work()
    finally:
        await database.close()


def _name() -> str:
    """Never the same twice: a lease is held by a process, not by a place."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{new_uuid()[-6:]}"

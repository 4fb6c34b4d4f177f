"""The worker as a process."""

import asyncio
import os
import signal
import socket
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from boathouse.control.database import Database, migrate, open_database
from boathouse.control.notifications.courier import Courier
from boathouse.control.runs.leases import Leases
from boathouse.control.runs.results import Results
from boathouse.control.worker import metrics
from boathouse.control.worker.retention import Keeper
from boathouse.control.worker.worker import Worker, WorkerOptions
from boathouse.kit.closed_process import close_to_others
from boathouse.kit.ids import new_uuid
from boathouse.kit.serving import configure_logging
from boathouse.kit.settings import ControlSettings


@dataclass(frozen=True)
class ProcessOptions:
    database: str
    worker: WorkerOptions
    name: str | None = None
    lease_seconds: float = 30.0
    keep: ControlSettings = field(default_factory=ControlSettings)
    """For how long results, logs and the rest are kept."""
    public_url: str | None = None
    """How others see the API: for links in notifications."""
    metrics: tuple[str, int] | None = None
    """Host and port for Prometheus; port 0 takes a free one."""


def run_worker(options: ProcessOptions) -> None:
    """Work until SIGTERM or SIGINT."""
    # Programs of runs are processes of the same user, and are not told what is shared.
    close_to_others()
    configure_logging()
    if options.metrics is not None:
        structlog.get_logger().info("worker.metrics", port=metrics.serve_metrics(*options.metrics))
    asyncio.run(_run(options))


async def _run(options: ProcessOptions) -> None:
    database = open_database(options.database)
    try:
        await migrate(database)
        leases = Leases(database, options.name or _name(), timedelta(seconds=options.lease_seconds))
        worker = Worker(leases, options.worker, _courier(database, options))
        for stop in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(stop, worker.stop)
        await _beside(Keeper(database, Results(options.worker.results), options.keep), worker)
    finally:
        await database.close()


async def _beside(keeper: Keeper, worker: Worker) -> None:
    keeping = asyncio.create_task(keeper.work())
    try:
        await worker.work()
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


def _courier(database: Database, options: ProcessOptions) -> Courier | None:
    """Without keys notifications are left to workers that have them."""
    secrets = options.worker.secrets
    if secrets.keys is None:
        structlog.get_logger().warning("worker.sends-no-notifications", reason="it was not told --keys")
        return None
    return Courier(
        database, secrets.connections, options.public_url, lambda outcome: metrics.DELIVERIES.labels(outcome).inc()
    )


def _name() -> str:
    """Never the same twice: a lease is held by a process, not by a place."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{new_uuid()[-6:]}"

"""The stack's own Postgres: it stops when it is told to, whoever is connected."""

import asyncio
import os
import threading
import time
from pathlib import Path

import asyncpg

from boathouse.kit.access import of_stream
from boathouse.kit.settings import Settings
from boathouse.stack.home import Home
from boathouse.stack.plan import lake_access
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.service import Site
from boathouse.stack.services.postgres import Postgres
from boathouse.stack.status import StackStatus
from boathouse.stack.supervisor import Supervisor
from tests.integration.catalog_process import free_port
from tests.lakehouse_under_test import eventually


async def test_it_stops_cleanly_and_soon_although_a_client_stays_connected(tmp_path: Path) -> None:
    settings, home = Settings(home=tmp_path), Home(tmp_path)
    home.make()
    ports = {"object-store": 1, "catalog": 2, "spark": 3, "spark.ui": 4, "postgres": free_port()}
    service = Postgres(Site(settings, home, ports, lake_access(settings, home, ports), {}))
    me = ProcessIdentity.of(os.getpid())
    assert me
    supervisor = Supervisor(home, "stream", settings, [service], me)
    running = threading.Thread(target=supervisor.run)
    running.start()
    try:
        await asyncio.to_thread(eventually, lambda: bool((told := StackStatus.load(home)) and told.healthy))
        client = await asyncpg.connect(**of_stream(service.site.lake.postgres, "Postgres").client())
        began = time.monotonic()
    finally:
        supervisor.stop()
        await asyncio.to_thread(running.join)
    assert time.monotonic() - began < settings.stack.stop_timeout / 2
    assert "database system is shut down" in home.log("postgres").read_text()
    client.terminate()

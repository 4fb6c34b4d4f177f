"""Services of the stack one at a time, as its supervisor keeps them."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._config import ConfigResource
from confluent_kafka.cimpl import NewTopic

from boathouse.kit.access import of_stream
from boathouse.kit.settings import Settings
from boathouse.stack.artifacts import read_lock
from boathouse.stack.home import Home
from boathouse.stack.plan import artifact_cache, lake_access
from boathouse.stack.processes import ProcessIdentity
from boathouse.stack.service import Service, Site
from boathouse.stack.services.kafka import Kafka
from boathouse.stack.services.postgres import Postgres
from boathouse.stack.status import StackStatus
from boathouse.stack.supervisor import Supervisor
from tests.integration.catalog_process import free_port
from tests.lakehouse_under_test import eventually


@asynccontextmanager
async def kept(kind: type[Service], settings: Settings) -> AsyncGenerator[Service]:
    home, cache, lock = Home(settings.home), artifact_cache(settings), read_lock()
    home.make()
    of_core = ("object-store", "catalog", "spark", "spark.ui")
    ports = {name: free_port() for name in (*of_core, *(wish.name for wish in kind.port_wishes(settings)))}
    files = {group: cache.require(lock[group]) for group in kind.artifacts}
    service = kind(Site(settings, home, ports, lake_access(settings, home, ports), files))
    me = ProcessIdentity.of(os.getpid())
    assert me
    supervisor = Supervisor(home, "stream", settings, [service], me)
    running = threading.Thread(target=supervisor.run)
    running.start()
    try:
        await asyncio.to_thread(eventually, lambda: bool((told := StackStatus.load(home)) and told.healthy))
        yield service
    finally:
        supervisor.stop()
        await asyncio.to_thread(running.join)


async def test_postgres_stops_cleanly_and_soon_although_a_client_stays_connected(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    async with kept(Postgres, settings) as service:
        client = await asyncpg.connect(**of_stream(service.site.lake.postgres, "Postgres").client())
        began = time.monotonic()
    assert time.monotonic() - began < settings.stack.stop_timeout / 2
    assert "database system is shut down" in Home(tmp_path).log("postgres").read_text()
    client.terminate()


async def test_kafka_keeps_a_topic_for_as_long_as_it_is_told(tmp_path: Path) -> None:
    settings = Settings.model_validate({"home": tmp_path, "kafka": {"retention": "36h", "retention_size": "10g"}})
    async with kept(Kafka, settings) as service:
        admin = AdminClient(of_stream(service.site.lake.kafka, "Kafka").client())
        admin.create_topics([NewTopic("readings", 1, 1)])["readings"].result(30)
        topic = ConfigResource(ConfigResource.Type.TOPIC, "readings")
        told = admin.describe_configs([topic])[topic].result(30)
        assert (told["retention.ms"].value, told["retention.bytes"].value) == (str(36 * 3600 * 1000), str(10 << 30))

"""A streaming pipeline under test: its database, its process, and what has arrived where."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from boathouse.kit.access import LakeAccess, of_stream
from boathouse.pipelines.stream.clickhouse import connect
from boathouse.stack.status import State
from tests.lakehouse_under_test import LakehouseUnderTest, eventually

Row = tuple[Any, ...]


class Database:
    """The Postgres that is followed."""

    def __init__(self, access: LakeAccess) -> None:
        self._access = of_stream(access.postgres, "Postgres")

    def run(self, *statements: str) -> None:
        async def work(connection: Any) -> None:
            for statement in statements:
                await connection.execute(statement)

        asyncio.run(self._with(work))

    def rows(self, query: str) -> list[Row]:
        async def work(connection: Any) -> list[Row]:
            return [tuple(row.values()) for row in await connection.fetch(query)]

        return _plain(asyncio.run(self._with(work)))

    async def _with(self, work: Any) -> Any:
        given = self._access
        connection = await asyncpg.connect(**given.client())
        try:
            return await work(connection)
        finally:
            await connection.close()


class Pipeline:
    """`boathouse pipeline run SPEC` as a process that a test may kill."""

    def __init__(self, lakehouse: LakehouseUnderTest, spec: Path) -> None:
        self.spec = spec
        self._lakehouse = lakehouse
        self._status = spec.with_suffix(".status.json")
        self._log = spec.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._status.unlink(missing_ok=True)
        command = [sys.executable, "-m", "boathouse.cli.main", "pipeline", "run", str(self.spec)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--status", str(self._status)], env=self._lakehouse.env, stdout=log, stderr=log
            )

    def status(self) -> dict[str, Any] | None:
        return json.loads(self._status.read_bytes()) if self._status.exists() else None

    def is_running(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()[-3000:]
        told = self.status()
        return told is not None and told["state"] == "running"

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """As the control plane does it; its exit code."""
        if self._process is None:
            return 0
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def said(self) -> str:
        return self._log.read_text()


@contextmanager
def running(lakehouse: LakehouseUnderTest, spec: Path) -> Generator[Pipeline]:
    pipeline = Pipeline(lakehouse, spec)
    try:
        pipeline.start()
        eventually(pipeline.is_running)
        yield pipeline
    finally:
        pipeline.stop()


def send(
    access: LakeAccess,
    topic: str,
    values: Sequence[bytes | None],
    *,
    key: bytes | None = None,
    at: datetime | None = None,
) -> None:
    """`at` is when they say that they were made."""
    # Kafka's own word for now.
    when = 0 if at is None else round(at.timestamp() * 1000)
    settings = {**of_stream(access.kafka, "Kafka").client(), "message.max.bytes": 32_000_000}
    producer = Producer(settings)
    for value in values:
        producer.produce(topic, value, key=key, timestamp=when)
    assert producer.flush(60) == 0


def first_in_kafka(
    access: LakeAccess, topic: str, count: int
) -> list[tuple[bytes | None, bytes | None, dict[str, str]]]:
    """Of its only partition: key, value and headers."""
    settings = {"group.id": f"test-{time.monotonic_ns()}", "enable.auto.commit": False}
    reader = Consumer({**of_stream(access.kafka, "Kafka").client(), **settings, "isolation.level": "read_committed"})
    try:
        reader.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
        found = reader.consume(count, timeout=60)
    finally:
        reader.close()
    return [(message.key(), message.value(), _headers(message)) for message in found]


def _headers(message: Any) -> dict[str, str]:
    return {name: value.decode() for name, value in message.headers() or ()}


def in_kafka(access: LakeAccess, topics: Sequence[str]) -> list[tuple[str, int, int, bytes | None]]:
    """Everything that is in them: topic, partition, offset, value."""
    settings = {"group.id": f"test-{time.monotonic_ns()}", "auto.offset.reset": "earliest", "enable.auto.commit": False}
    reader = Consumer({**of_stream(access.kafka, "Kafka").client(), **settings, "isolation.level": "read_committed"})
    found: list[tuple[str, int, int, bytes | None]] = []
    try:
        reader.subscribe(list(topics))
        silent = 0
        while silent < (5 if found else 20):
            message = reader.poll(1)
            if message is None:
                silent += 1
            elif message.error() is None:
                silent = 0
                found.append((str(message.topic()), message.partition() or 0, message.offset() or 0, message.value()))
    finally:
        reader.close()
    return found


def in_clickhouse(access: LakeAccess, query: str) -> list[Row]:
    client = connect(of_stream(access.clickhouse, "ClickHouse"))
    try:
        return _plain(client.query(query).result_rows)
    finally:
        client.close()


def in_lake(session: Any, query: str) -> list[Row]:
    return _plain([tuple(row) for row in session.sql(query).collect()])


def kill(lakehouse: LakehouseUnderTest, name: str) -> None:
    status = lakehouse.status()
    assert status is not None
    (service,) = [service for service in status.services if service.name == name]
    assert service.pid is not None
    os.kill(service.pid, signal.SIGKILL)
    eventually(lambda: not all_healthy(lakehouse))


def all_healthy(lakehouse: LakehouseUnderTest) -> bool:
    status = lakehouse.status()
    return status is not None and all(service.state is State.HEALTHY for service in status.services)


def _plain(rows: Sequence[Sequence[Any]]) -> list[Row]:
    """The same value as the same thing, whichever client gave it."""
    return sorted((tuple(_value(value) for value in row) for row in rows), key=repr)


def _value(value: Any) -> Any:
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).replace(tzinfo=None)
    return value

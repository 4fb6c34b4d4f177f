"""What each service is asked. To watch another, write how it is asked and add it to `all_probes`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import obstore

from boathouse.control.connections.calls import call, mapping_in
from boathouse.control.database import Database
from boathouse.control.workers import service as workers
from boathouse.engines.spark.greeting import speaks_http2
from boathouse.kit.access import LakeAccess
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.kit.objects import open_store, storage_errors

_SPARK_PORT = 15002


@dataclass(frozen=True)
class Probe:
    name: str
    title: str
    ask: Callable[[], Awaitable[str]]
    """Says how it is; raises what is wrong."""


def all_probes(database: Database, lake: Path | None) -> list[Probe]:
    own = [
        Probe("database", "Database", lambda: _database(database)),
        Probe("workers", "Workers", lambda: _workers(database)),
    ]
    if lake is None:
        return own
    parts = (
        ("catalog", "Catalog", _catalog),
        ("object-store", "Object store", _object_store),
        ("spark", "Spark", _spark),
    )
    return [*own, *(Probe(name, title, partial(_of_lake, name, lake, ask)) for name, title, ask in parts)]


async def _of_lake(name: str, home: Path, ask: Callable[[LakeAccess], Awaitable[str]]) -> str:
    """Asked anew each time where it is: it may have been started elsewhere since."""
    lake = LakeAccess.load(home)
    try:
        return await ask(lake)
    except BoathouseError as error:
        raise Unavailable(
            str(error), hint=f"`boathouse status` says how it is, `boathouse logs {name}` why."
        ) from error


async def _database(database: Database) -> str:
    await database.ping()
    return "SQLite" if database.dialect == "sqlite" else "PostgreSQL"


async def _workers(database: Database) -> str:
    async with database.reading() as session:
        found = await workers.told(session, in_full=False)
    if found.workers == 0:
        raise Unavailable(
            "None was heard of lately, so no run begins.", hint="`boathouse up` starts one, `boathouse worker` another."
        )
    return f"{found.workers}, {found.running} of {found.slots} busy"


async def _catalog(lake: LakeAccess) -> str:
    answer = await call("GET", lake.catalog.uri, "/readyz")
    if not answer.is_success:
        parts = mapping_in(answer).get("parts") or {"status": answer.status_code}
        raise Unavailable("; ".join(f"{part}: {reason}" for part, reason in parts.items()))
    return "ready"


async def _object_store(lake: LakeAccess) -> str:
    access = lake.object_store
    store = open_store(
        f"s3://{access.bucket}",
        endpoint=access.endpoint,
        region=access.region,
        access_key=access.access_key.get_secret_value(),
        secret_key=access.secret_key.get_secret_value(),
    )
    with storage_errors(f"s3://{access.bucket}"):
        async for _ in obstore.list(store, "warehouse/", chunk_size=1):
            break
    return "answers"


async def _spark(lake: LakeAccess) -> str:
    address = urlsplit(lake.spark.remote)
    host, port = address.hostname or "", address.port or _SPARK_PORT
    if not await asyncio.to_thread(speaks_http2, host, port):
        raise Unavailable(f"{host}:{port} does not answer as Spark Connect does.")
    return "answers"

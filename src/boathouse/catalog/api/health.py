"""Whether the server lives, and whether it can do its work."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from urllib.parse import urlsplit

import obstore
from obstore.store import LocalStore
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from boathouse.catalog.api.operations import ANYBODY, Operation
from boathouse.catalog.api.requests import note
from boathouse.catalog.api.responses import json_response
from boathouse.catalog.backup.unfinished import mark_in
from boathouse.catalog.backup.whole import unfinished
from boathouse.catalog.store import Store
from boathouse.catalog.warehouse import Warehouse
from boathouse.kit.errors import BoathouseError, Unavailable
from boathouse.kit.objects import storage_errors

# Shorter than the patience of whoever probes, which is a few seconds; longer than a round trip to a store that is well.
_PART_SECONDS = 2.0


async def alive(_request: Request) -> Response:
    """It answers, whatever it needs may be away: to start it again would not bring that back."""
    return json_response({"status": "ok"})


async def ready(request: Request) -> Response:
    """Ready is when every part that a request may need answers; else 503 with the parts that do not."""
    wanting = await _wanting(request.app)
    if not wanting:
        return json_response({"status": "ok"})
    note(request, "error", "; ".join(f"{part}: {reason}" for part, reason in wanting.items()))
    return json_response({"status": "not ready", "parts": wanting}, 503, {"Retry-After": "1"})


async def _wanting(app: Starlette) -> dict[str, str]:
    if app.state.draining:
        return {"server": "It is stopping."}
    warehouses = [catalog.warehouse for catalog in app.state.catalogs.values()]
    names = ["store", *(f"warehouse {warehouse.name}" for warehouse in warehouses)]
    found = await asyncio.gather(
        _reason(_check_store(app.state.store)), *(_reason(_check_storage(warehouse)) for warehouse in warehouses)
    )
    return {name: reason for name, reason in zip(names, found, strict=True) if reason}


async def _reason(check: Awaitable[None]) -> str | None:
    try:
        await asyncio.wait_for(check, _PART_SECONDS)
    except TimeoutError:
        return f"No answer within {_PART_SECONDS:g} seconds."
    except BoathouseError as error:
        return str(error)
    return None


async def _check_store(store: Store) -> None:
    """Reads of the store are linearizable, so one that answers has a leader and a quorum."""
    await store.check()
    if await mark_in(store) is not None:
        raise unfinished()


async def _check_storage(warehouse: Warehouse) -> None:
    objects = warehouse.objects
    with storage_errors(warehouse.root):
        if isinstance(objects, LocalStore):
            _check_directory(warehouse.root)
            return
        # A listing rather than a look at one object: of that, 404 would not say whether the bucket is there.
        async for _ in obstore.list(objects, prefix="ready", chunk_size=1):
            return


def _check_directory(url: str) -> None:
    """An empty listing is what a directory that is gone would give as well."""
    if not Path(urlsplit(url).path).is_dir():
        raise Unavailable(f"There is no directory {url}.")


PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
ROUTES = [Operation("GET", "/healthz", alive, ANYBODY), Operation("GET", "/readyz", ready, ANYBODY)]

"""The catalog's store, opened for one command."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import typer

from boathouse.catalog.backup import WholeStore
from boathouse.catalog.store import Store, open_store

Result = TypeVar("Result")

StoreAddress = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="BOATHOUSE_CATALOG_STORE",
        help="Where the catalog keeps its state, as `serve` was told.",
    ),
]


def in_store(address: str, work: Callable[[Store], Awaitable[Result]], *, importing: bool = False) -> Result:
    """Do the work on the store itself: no server need run, and one that runs sees it within a second."""

    async def done() -> Result:
        store = open_store(address) if importing else WholeStore(open_store(address))
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(done())

"""The catalog's store, opened for one command."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
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


ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The file that `serve` was told: its warehouses, and their storage."),
]


def in_store(
    address: str, work: Callable[[Store], Awaitable[Result]], *, importing: bool = False, create: bool = False
) -> Result:
    """Do the work on the store itself: no server need run, and one that runs sees it within a second.

    A store that is not there yet is made only by what begins one: an import, or the first principal.
    """

    async def done() -> Result:
        opened = open_store(address, create=create or importing)
        store = opened if importing else WholeStore(opened)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(done())

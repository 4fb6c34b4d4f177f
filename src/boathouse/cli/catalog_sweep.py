"""`boathouse catalog sweep`: metadata files that nothing names."""

import os
from dataclasses import asdict
from typing import Annotated

import typer
from rich.filesize import decimal

from boathouse.catalog.sweeping import DEFAULT_GRACE, Sweeper, Sweeping, parse_grace
from boathouse.cli.catalog_store import ConfigFile, StoreAddress, in_store
from boathouse.cli.output import document, facts, notices

_REPORTED_EVERY = 1000


def sweep(
    *,
    store: StoreAddress,
    warehouse: Annotated[
        str, typer.Option(metavar="NAME[=URL]", help="As `serve` was told; its name alone if --config says the rest.")
    ],
    config: ConfigFile = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete them; without this they are only shown.")] = False,
    older_than: Annotated[
        str, typer.Option(metavar="AGE", help="Leave alone what is younger: 90m, 24h, 7d; at least 1h.")
    ] = DEFAULT_GRACE,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Find the metadata files of tables and views that failed commits left behind. Servers go on meanwhile."""
    from boathouse.catalog.storage.warehouses import open_warehouse

    grace, opened = parse_grace(older_than), open_warehouse(warehouse, os.environ, config)
    console = notices()

    def report(done: int) -> None:
        if done % _REPORTED_EVERY == 0:
            console.print(f"{done:,} tables and views looked at", style="dim")

    swept = in_store(store, lambda held: Sweeper(held, opened).sweep(grace, delete=delete, report=report))
    _show(swept, delete=delete, as_json=as_json)


def _show(swept: Sweeping, *, delete: bool, as_json: bool) -> None:
    if as_json:
        document({**asdict(swept), "dry_run": not delete})
        return
    facts(
        [
            ("tables and views", f"{swept.relations:,}"),
            ("old metadata files", f"{swept.files:,}"),
            ("orphans", f"{len(swept.orphans):,} ({decimal(swept.bytes)})"),
            ("deleted", f"{swept.deleted:,}"),
            ("left to the next sweep", f"{swept.busy:,} that changed meanwhile"),
            ("of dropped tables, left", f"{swept.foreign:,}"),
        ]
    )
    for file in swept.orphans[:20]:
        notices().print(file.url, style="dim", soft_wrap=True)
    if swept.orphans and not delete:
        notices().print("Nothing was deleted. Add --delete to delete them.")

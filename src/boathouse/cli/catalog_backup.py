"""`boathouse catalog export` and `import`: the catalog's state as one file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from boathouse.catalog.backup import Summary, export_store, import_backup, missing_files, verified
from boathouse.catalog.store import Store
from boathouse.catalog.warehouse import Warehouse
from boathouse.cli.catalog_store import ConfigFile, StoreAddress, in_store
from boathouse.cli.output import document, facts, notices
from boathouse.kit.errors import WorkFailed

AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; compressed if it ends in .zst or .gz.")],
    *,
    store: StoreAddress,
    check: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=URL", help="Also look whether the metadata files of this warehouse are there."),
    ] = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Write all that the catalog knows, as it is at one moment, to a file. Servers go on meanwhile."""
    from boathouse.catalog.storage.warehouses import open_warehouses

    warehouses = open_warehouses(check or [], config, os.environ) if check or config else []
    summary, missing = in_store(store, lambda opened: _exported(opened, file, warehouses))
    _show(summary, file, {"missing": missing}, as_json=as_json)
    if missing:
        raise WorkFailed(
            f"{len(missing)} of the metadata files that the backup names are not there, such as {missing[0]}.",
            hint="The backup is written. See that the storage is the right one, and restore or drop those tables.",
        )


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `export` wrote.")],
    *,
    store: StoreAddress,
    as_json: AsJson = False,
) -> None:
    """Bring a backup into an empty store. One that was interrupted goes on when it is called again."""
    # Before the store is opened: what is refused leaves no new one behind.
    found = verified(file)
    told = _Progress("imported")
    summary = in_store(store, lambda opened: import_backup(opened, file, told, summary=found), importing=True)
    _show(summary, file, {}, as_json=as_json)


async def _exported(store: Store, file: Path, warehouses: list[Warehouse]) -> tuple[Summary, list[str]]:
    summary = await export_store(store, file, _Progress("exported"))
    return summary, await missing_files(file, warehouses)


def _show(summary: Summary, file: Path, more: dict[str, list[str]], *, as_json: bool) -> None:
    if as_json:
        document({"file": str(file), **summary.described(), **more})
        return
    counts = ", ".join(f"{number:,} {kind}" for kind, number in sorted(summary.counts.items()))
    facts(
        [
            ("file", str(file)),
            ("taken", f"{summary.taken} at revision {summary.revision} of {summary.form}"),
            ("entries", f"{summary.entries:,}: {counts}" if counts else "none"),
            ("sha256", summary.sha256),
        ]
    )


class _Progress:
    """A line now and then on a terminal, for stores that take long."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._console = notices()
        self._told = 0

    def __call__(self, done: int) -> None:
        if self._console.is_terminal and done - self._told >= 10_000:
            self._told = done
            self._console.print(f"{done:,} entries {self._word}", style="dim")

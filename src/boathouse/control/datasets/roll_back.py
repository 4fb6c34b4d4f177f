"""A table rolled back to what it was, or forward again. Nothing is written or removed: the branch `main` points elsewhere."""

from typing import Any

from boathouse.control.datasets.damage import as_iceberg_has_it
from boathouse.control.datasets.reading import snapshot_of
from boathouse.control.datasets.table_schemas import RolledBack, TableRollBack
from boathouse.control.datasets.tables import LiveTable
from boathouse.kit import table_metadata as meta
from boathouse.kit.catalog_client import TableChange
from boathouse.kit.errors import Conflict, InvalidInput

Json = dict[str, Any]
_MAIN = "main"
# What a branch is kept for. To set where it points sets these too, so they are given again.
_KEPT = ("min-snapshots-to-keep", "max-snapshot-age-ms", "max-ref-age-ms")


async def roll_back(live: LiveTable, wanted: TableRollBack) -> RolledBack:
    return await live.source.ask(lambda: _roll_back(live, wanted))


def _roll_back(live: LiveTable, wanted: TableRollBack) -> RolledBack:
    with as_iceberg_has_it(str(live.name)):
        current, target = _current(live), int(wanted.snapshot_id)
        if current == target:
            return RolledBack(snapshot_id=wanted.snapshot_id, before=str(current), changed=False)
        _refuse_what_was_not_seen(live, current, wanted)
        _refuse_another_way(live, target)
        change = TableChange(live.name, _requirements(live.metadata, current), [_pointing(live.metadata, target)])
    with live.source.client() as catalog:
        catalog.commit_table(change)
    return RolledBack(snapshot_id=wanted.snapshot_id, before=str(current), changed=True)


def _current(live: LiveTable) -> int:
    current: int | None = live.metadata.get("current-snapshot-id")
    if current is None or current == -1:
        raise Conflict(f"Nothing was ever written to {live.name}, so there is nothing to go back to.")
    return current


def _refuse_what_was_not_seen(live: LiveTable, current: int, wanted: TableRollBack) -> None:
    if wanted.seen is not None and int(wanted.seen) != current:
        raise Conflict(
            f"{live.name} has moved on meanwhile: its snapshot is now {current}, and no longer {wanted.seen}.",
            hint="Look at what was written since; then roll back again, if it is still what you want.",
        )


def _refuse_another_way(live: LiveTable, target: int) -> None:
    """Back to what it was, or forward to what goes back to it: on another way something would be lost that nobody named."""
    snapshot_of(live, target)
    if target not in meta.ancestors(live.metadata) | meta.descendants(live.metadata):
        raise InvalidInput(
            f"The current snapshot of {live.name} does not go back to {target}, nor that to it: what was written since they"
            " parted would be lost.",
            hint="Choose an ancestor of the current snapshot, or read the other as of its id.",
        )


def _requirements(metadata: Json, current: int) -> list[Json]:
    """That nobody was faster: else the catalog refuses, and says so."""
    return [
        {"type": "assert-table-uuid", "uuid": metadata["table-uuid"]},
        {"type": "assert-ref-snapshot-id", "ref": _MAIN, "snapshot-id": current},
    ]


def _pointing(metadata: Json, target: int) -> Json:
    branch = (metadata.get("refs") or {}).get(_MAIN, {})
    kept = {name: branch[name] for name in _KEPT if branch.get(name) is not None}
    return {"action": "set-snapshot-ref", "ref-name": _MAIN, "type": "branch", "snapshot-id": target, **kept}

"""Writing a backup: everything in the store as it was at one revision, while readers and writers go on."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import IO

from boathouse.catalog.backup.lines import entry_line, line, packed
from boathouse.catalog.backup.summary import FORMAT, VERSION, Summary, kind_of
from boathouse.catalog.backup.unfinished import UNFINISHED
from boathouse.catalog.store import Cut, Store
from boathouse.kit.errors import Conflict
from boathouse.kit.files import PRIVATE, written_atomically

_PAGE = 1000

Report = Callable[[int], None]
"""Told how many entries are done, from time to time."""


async def export_store(store: Store, path: Path, report: Report = lambda _done: None) -> Summary:
    """Write a backup that only its owner can read: it holds the keys that tokens are signed with."""
    _check_new(path)
    form = (await store.health()).form
    async with store.cut() as cut:
        if await cut.list(UNFINISHED, limit=1):
            raise Conflict("The store holds only a part of a backup.", hint="Finish the import that was begun first.")
        with written_atomically(path, mode=PRIVATE) as file, packed(path, file) as target:
            return await _write(cut, form, target, report)


def _check_new(path: Path) -> None:
    if path.exists():
        raise Conflict(f"There is a file {path} already.", hint="Name a new one; backups are never overwritten.")


async def _write(cut: Cut, form: str, target: IO[bytes], report: Report) -> Summary:
    taken = datetime.now(UTC).isoformat(timespec="seconds")
    digest, counts, after = sha256(), Counter[str](), ""

    def put(text: bytes) -> None:
        digest.update(text)
        target.write(text)

    put(line({"format": FORMAT, "version": VERSION, "revision": cut.revision, "taken": taken, "store": form}))
    while page := await cut.list("", after=after, limit=_PAGE):
        for entry in page:
            put(entry_line(entry.key, entry.value))
            counts[kind_of(entry.key)] += 1
        after = page[-1].key
        report(counts.total())
    target.write(line({"entries": counts.total(), "counts": dict(counts), "sha256": digest.hexdigest()}))
    return Summary(cut.revision, taken, form, counts.total(), dict(counts), digest.hexdigest())

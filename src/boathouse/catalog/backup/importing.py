"""Bringing a backup into an empty store.

In one commit where the store takes it so, as SQLite does. etcd takes no more than a hundred or so changes at once: there a mark
is put into the empty store first and removed with the last entries. A server on a store with that mark is not ready and
writes nothing, and the same import goes on where another was killed. Every commit compares the mark, so that of two imports
one ends, and writes only what is not there yet, so that nothing is overwritten whoever wrote it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from boathouse.catalog.backup.reading import entries_of, verified
from boathouse.catalog.backup.summary import Summary
from boathouse.catalog.backup.unfinished import UNFINISHED, Mark, mark, mark_in
from boathouse.catalog.errors import TooLarge
from boathouse.catalog.store import Absent, Delete, Empty, Put, Store
from boathouse.kit.errors import Conflict

# etcd's limits are 128 operations and 1.5 MiB; entries are some hundred bytes, but a namespace's properties may be many.
_MOST = 100
_LARGEST_BYTES = 512 * 1024

Report = Callable[[int], None]


async def import_backup(
    store: Store, path: Path, report: Report = lambda _done: None, *, summary: Summary | None = None
) -> Summary:
    """Verify the backup, then write it into the store, which must be empty or hold an unfinished import of the same file.

    `summary` is of one that was verified already.
    """
    summary = summary or verified(path)
    begun = await mark_in(store)
    if begun is None and await _at_once(store, path):
        report(summary.entries)
        return summary
    await _by_parts(store, path, await _begin(store, summary, begun), report)
    return summary


async def _at_once(store: Store, path: Path) -> bool:
    """False if the store does not take so much in one commit."""
    try:
        done = await store.commit([Empty("")], list(entries_of(path)))
    except TooLarge:
        return False
    if not done:
        raise _not_empty()
    return True


async def _begin(store: Store, summary: Summary, begun: Mark | None) -> Mark:
    """Put the mark, or take over that of an import that was killed: what the other process still sends is then refused."""
    if begun is not None and begun.sha256 != summary.sha256:
        raise Conflict(
            f"The store holds a part of another backup (sha256 {begun.sha256[:12]}…).",
            hint="Finish that import with its own file, or import into another store or root.",
        )
    unused = begun.still() if begun else Empty("")
    if not await store.commit([unused], [mark(summary.sha256)]):
        raise _not_empty()
    mine = await mark_in(store)
    if mine is None:
        raise _overtaken()
    return mine


async def _by_parts(store: Store, path: Path, mine: Mark, report: Report) -> None:
    done = 0
    for part in _parts(entries_of(path)):
        await _commit(store, mine, part)
        done += len(part)
        report(done)
    if not await store.commit([mine.still()], [Delete(UNFINISHED)]):
        raise _overtaken()


async def _commit(store: Store, mine: Mark, part: list[Put]) -> None:
    if await store.commit([mine.still(), *(Absent(one.key) for one in part)], part):
        return
    if await mark_in(store) != mine:
        raise _overtaken()
    missing = [one for one in part if not await _is_there(store, one)]
    if not await store.commit([mine.still(), *(Absent(one.key) for one in missing)], missing):
        raise _overtaken()


async def _is_there(store: Store, one: Put) -> bool:
    """Whether an earlier attempt brought it; a refusal if something else stands in its place."""
    entry = await store.read(one.key)
    if entry is not None and entry.value != one.value:
        raise Conflict(
            f"The store holds something newer than the backup under {one.key!r}. It was left as it is.",
            hint="Something else wrote to the store since the import began. Import into a new one, and look there.",
        )
    return entry is not None


def _parts(entries: Iterable[Put]) -> Iterator[list[Put]]:
    remaining = iter(entries)
    while part := list(islice(remaining, _MOST)):
        yield from _halved(part)


def _halved(part: list[Put]) -> Iterator[list[Put]]:
    """The part in pieces that are small enough; one entry alone was small enough for the store it came from."""
    if len(part) == 1 or sum(len(one.key) + len(one.value) for one in part) <= _LARGEST_BYTES:
        yield part
        return
    middle = len(part) // 2
    yield from _halved(part[:middle])
    yield from _halved(part[middle:])


def _not_empty() -> Conflict:
    return Conflict(
        "The store is not empty, so nothing was imported.",
        hint="Import into a new one: another file, or another root as in etcd://HOST:PORT/ROOT.",
    )


def _overtaken() -> Conflict:
    return Conflict(
        "Another process took over or finished this import.", hint="Look whether it is done; if not, import again."
    )

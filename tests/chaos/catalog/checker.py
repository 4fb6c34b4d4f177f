"""Judges a history: what the catalog promised, and where it broke its word.

A table is a register whose values are its versions, and its metadata log puts these in order. That makes linearizability
simple to decide: everything that was done to a table has a place in the order (a commit before the reads of its version,
those before the next commit), and the order is right unless something ended before something with an earlier place began.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf

from tests.chaos.catalog.history import Commit, History, Outcome, Version

LOG_LIMIT = 100
"""As many of the versions before it a version has in its log, unless its properties say otherwise."""


def broken_promises(history: History) -> list[str]:
    """Everything that is wrong with a history, in words. None is as it should be."""
    return [
        *history.complaints,
        *_wrong_counts(history),
        *_torn_transactions(history),
        *_gaps(history),
        *_wrong_acknowledgements(history),
        *_out_of_order(history),
    ]


def _wrong_counts(history: History) -> Iterator[str]:
    known = {commit.id for commit in history.commits}
    for table, versions in history.versions.items():
        made = Counter(version.commit for version in versions[1:])
        for commit in history.commits:
            if table in commit.tables:
                yield from _wrong_count(commit, table, made[commit.id])
        for stranger in sorted(str(commit) for commit in made if commit not in known):
            yield f"a version of {table} was made by {stranger}, which nobody sent"


def _wrong_count(commit: Commit, table: str, times: int) -> Iterator[str]:
    if times > 1:
        yield f"commit {commit.id} was applied {times} times to {table}"
    elif commit.outcome is Outcome.APPLIED and times == 0:
        yield f"commit {commit.id} to {table} was acknowledged and is lost"
    elif commit.outcome is Outcome.REFUSED and times == 1:
        yield f"commit {commit.id} to {table} was refused and yet applied"


def _torn_transactions(history: History) -> Iterator[str]:
    made = {table: {version.commit for version in versions} for table, versions in history.versions.items()}
    for commit in history.commits:
        applied = [table for table in commit.tables if commit.id in made[table]]
        if applied and len(applied) < len(commit.tables):
            yield f"transaction {commit.id} over {', '.join(commit.tables)} reached only {', '.join(applied)}"


def _gaps(history: History) -> Iterator[str]:
    """Every version is numbered after the one before it, and has the ones before it in its log."""
    for table, versions in history.versions.items():
        locations = [version.location for version in versions]
        for place, version in enumerate(versions):
            if number_of(version.location) != place:
                yield f"version {place} of {table} is called {version.location}"
            if list(version.log) != locations[:place][-LOG_LIMIT:]:
                yield f"the log of version {place} of {table} is not that of the versions before it"


def _wrong_acknowledgements(history: History) -> Iterator[str]:
    made_by = {version.location: version.commit for versions in history.versions.values() for version in versions}
    for commit in history.commits:
        if commit.location is not None and made_by.get(commit.location) != commit.id:
            yield f"commit {commit.id} was acknowledged as {commit.location}, which is not its version"


@dataclass(frozen=True)
class _Act:
    """Something done to one table, and its place in the order of what was done to it."""

    place: tuple[int, bool]
    start: float
    end: float
    words: str


def _out_of_order(history: History) -> Iterator[str]:
    for table, versions in history.versions.items():
        places = {version.location: place for place, version in enumerate(versions)}
        for read in history.reads:
            if read.table == table and read.location not in places:
                yield f"a read of {table} gave {read.location}, which is none of its versions"
        yield from _unordered(_acts(history, table, versions, places))


def _acts(history: History, table: str, versions: Sequence[Version], places: dict[str, int]) -> list[_Act]:
    by_id = {commit.id: commit for commit in history.commits}
    commits = [
        # One that was not acknowledged may have happened at any time after it began.
        _Act((place, False), commit.start, commit.end if commit.outcome is Outcome.APPLIED else inf, _of(commit, table))
        for place, version in enumerate(versions)
        if (commit := by_id.get(version.commit or "")) is not None
    ]
    reads = [
        _Act((places[read.location], True), read.start, read.end, f"read of version {places[read.location]} of {table}")
        for read in history.reads
        if read.table == table and read.location in places
    ]
    return sorted([*commits, *reads], key=lambda act: act.place)


def _unordered(acts: Sequence[_Act]) -> Iterator[str]:
    """From the last place to the first: nothing may begin after something of a later place has ended."""
    earliest = _Act((0, False), inf, inf, "nothing")
    for _, together in groupby(reversed(acts), key=lambda act: act.place):
        group = list(together)
        for act in group:
            if earliest.end < act.start:
                yield (
                    f"not linearizable: {act.words} began at {act.start:.3f},"
                    f" after {earliest.words} had ended at {earliest.end:.3f}"
                )
        earliest = min([*group, earliest], key=lambda act: act.end)


def _of(commit: Commit, table: str) -> str:
    return f"commit {commit.id} to {table}"


def number_of(location: str) -> int:
    """A metadata file's name begins with the number of its version."""
    return int(location.rpartition("/")[2].partition("-")[0])

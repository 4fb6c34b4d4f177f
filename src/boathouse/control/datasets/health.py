"""How a table is, as plain facts with their reasons. A score is for maintenance to give."""

from boathouse.control.datasets.files import small_below
from boathouse.control.datasets.table_schemas import Fact, Health, Sizes, TableTold, Verdict

# Fewer are read in no time, however small.
_FEW_FILES = 10
_SMALL_SHARE = 0.5
# Each reader opens the delete files of what it reads.
_DELETE_SHARE = 0.1
# Every commit writes the list of all snapshots anew.
_MANY_SNAPSHOTS = 500
_DAY = 86_400.0
_MIB = 1024 * 1024


def health(table: TableTold, sizes: Sizes) -> Health:
    return Health(facts=[_small_files(sizes), _delete_files(table), _snapshots(table), _freshness(table)])


def by_metadata(table: TableTold) -> list[Fact]:
    """What can be said without reading a manifest."""
    return [_average_file(table), _delete_files(table), _snapshots(table)]


def _average_file(table: TableTold) -> Fact:
    if not table.files or table.bytes is None:
        return _fact("average-file", None, Verdict.UNKNOWN, "The table has no files, or nobody counted them.")
    average, below = table.bytes / table.files, small_below({"properties": table.properties})
    small = table.files >= _FEW_FILES and average < below
    because = (
        f"Its {table.files:,} data files are {average / _MIB:,.1f} MiB on average; less than {below / _MIB:,.0f} MiB, "
        "an eighth of what the table aims at, is small."
    )
    return _fact("average-file", average, Verdict.ATTENTION if small else Verdict.FINE, because)


def _small_files(sizes: Sizes) -> Fact:
    mib = sizes.small_below / _MIB
    if sizes.small_share is None:
        return _fact("small-files", None, Verdict.FINE, "The table has no files.")
    many = sizes.small_files >= _FEW_FILES and sizes.small_share > _SMALL_SHARE
    counted = "" if sizes.complete else " Only the first are counted."
    because = (
        f"{sizes.small_files:,} of {sizes.files:,} data files are smaller than {mib:,.0f} MiB, "
        f"an eighth of what the table aims at.{counted}"
    )
    return _fact("small-files", sizes.small_share, Verdict.ATTENTION if many else Verdict.FINE, because)


def _delete_files(table: TableTold) -> Fact:
    if table.delete_files is None or table.files is None:
        return _fact("delete-files", None, Verdict.UNKNOWN, "Whoever wrote the table did not count them.")
    many = table.delete_files > max(table.files, 1) * _DELETE_SHARE
    because = f"{table.delete_files:,} delete files are read beside {table.files:,} data files."
    return _fact("delete-files", table.delete_files, Verdict.ATTENTION if many else Verdict.FINE, because)


def _snapshots(table: TableTold) -> Fact:
    many = table.snapshots > _MANY_SNAPSHOTS
    kept = "1 snapshot is kept" if table.snapshots == 1 else f"{table.snapshots:,} snapshots are kept"
    because = f"{kept}; more than {_MANY_SNAPSHOTS} make every commit slower."
    return _fact("snapshots", table.snapshots, Verdict.ATTENTION if many else Verdict.FINE, because)


def _freshness(table: TableTold) -> Fact:
    """Nobody has said how fresh it should be, so there is nothing to judge by."""
    if table.seconds_since_commit is None:
        return _fact("freshness", None, Verdict.UNKNOWN, "Nothing was ever written to it.")
    because = f"The last commit was {_since(table.seconds_since_commit)} ago. How fresh it should be is not said."
    return _fact("freshness", table.seconds_since_commit, Verdict.UNKNOWN, because)


def _since(seconds: float) -> str:
    for name, length in (("days", _DAY), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {name}"
    return f"{seconds:.0f} seconds"


def _fact(name: str, value: float | None, verdict: Verdict, because: str) -> Fact:
    return Fact(name=name, value=value, verdict=verdict, because=because)

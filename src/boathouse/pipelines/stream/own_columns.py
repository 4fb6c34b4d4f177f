"""Names that a column of what is followed may not have: those of our own columns, which stand beside it, and another's in other case."""

from collections.abc import Iterable, Mapping

from boathouse.pipelines.types import ColumnType, Primitive

_STRING, _LONG, _TIME = Primitive("string"), Primitive("long"), Primitive("timestamptz")
ORIGIN: dict[str, ColumnType] = {
    "topic": _STRING,
    "partition": Primitive("int"),
    "offset": _LONG,
    "kafka_at": _TIME,
    "key": _STRING,
}
"""Where an event came from: in the log, and in ClickHouse where it is no change."""
WRITTEN: dict[str, ColumnType] = {"written_at": _TIME, "replayed": Primitive("boolean")}
"""In the log: when, and whether in its turn."""
_OF_CLICKHOUSE = frozenset({"_lsn", "_place", "_order", "_deleted", "_source_at", "_kafka_at", "_written_at", "_sign"})
OF_ROWS = _OF_CLICKHOUSE | {"_op", "_newest"}
"""Of those that are merged, too: on their way into the lake's tables they have some more."""
OF_EVENTS = _OF_CLICKHOUSE | ORIGIN.keys() | WRITTEN.keys()


def is_ours(name: str) -> bool:
    """Of a source table's column, whether one of ours is called so."""
    # Spark does not tell names apart by their case.
    return name.lower() in OF_ROWS


def without_ours(columns: Mapping[str, ColumnType]) -> dict[str, ColumnType]:
    return {name: kind for name, kind in columns.items() if not is_ours(name)}


def alike(name: str, columns: Iterable[str]) -> str | None:
    """Another of the columns, from which it differs only in its case: Spark would not know which is meant."""
    return next((one for one in columns if one != name and one.lower() == name.lower()), None)

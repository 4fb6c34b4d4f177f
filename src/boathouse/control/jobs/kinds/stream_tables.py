"""What a streaming pipeline reads and writes, by its spec. What is not said as it should be is left out: it fails where it is run."""

from collections.abc import Iterator, Mapping
from typing import Any

_PUBLIC = "public"


def read_by(spec: Mapping[str, Any]) -> frozenset[str]:
    """`postgres.public.meters`, or `kafka.topic`."""
    source = _part(spec, "source")
    if source.get("kind") == "postgres":
        return frozenset(f"postgres.{table}" for table in _names(source.get("tables")))
    return frozenset(f"kafka.{topic}" for topic in _names(source.get("topics")))


def written_by(spec: Mapping[str, Any]) -> frozenset[str]:
    """The table of bronze, those of silver, and those in ClickHouse."""
    bronze, silver, speed = (_part(spec, name) for name in ("bronze", "silver", "speed"))
    own = list(_own_tables(spec))
    rollups: Any = speed.get("rollups")
    named: list[Any] = rollups if isinstance(rollups, list) else []  # pyright: ignore[reportUnknownVariableType]
    sums = [one.get("name") for one in named if isinstance(one, Mapping)]  # pyright: ignore[reportUnknownMemberType]
    return frozenset(
        [
            *_names([bronze.get("table")]),
            *(f"{silver['namespace']}.{table}" for table in own if "namespace" in silver),
            *(f"clickhouse.{speed['database']}.{table}" for table in [*own, *_names(sums)] if "database" in speed),
        ]
    )


def _own_tables(spec: Mapping[str, Any]) -> Iterator[str]:
    """What a table that is followed is called on its way: of another schema than public, with that before its name."""
    for name in _followed(spec):
        schema, _, table = name.partition(".")
        yield table if schema == _PUBLIC else f"{schema}_{table}"


def _followed(spec: Mapping[str, Any]) -> list[str]:
    source, log = _part(spec, "source"), _names([_part(spec, "bronze").get("table")])
    if source.get("kind") == "postgres":
        return _names(source.get("tables"))
    if source.get("format") == "debezium":
        # A topic of changes is called prefix.schema.table.
        return [topic.split(".", 1)[-1] for topic in _names(source.get("topics"))]
    # Of events that are no changes there is one, called as their log is.
    return [f"{_PUBLIC}.{table.rpartition('.')[2]}" for table in log]


def _part(spec: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part: Any = spec.get(name)
    return part if isinstance(part, Mapping) else {}  # pyright: ignore[reportUnknownVariableType]


def _names(given: Any) -> list[str]:
    return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []  # pyright: ignore[reportUnknownVariableType]

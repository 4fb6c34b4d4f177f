"""What a streaming pipeline reads and writes, by its spec. What is not said as it should be is left out: it fails where it is run."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_PUBLIC = "public"
_NO_WORD = re.compile(r"[^a-z0-9_]+")


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
    source = _part(spec, "source")
    # A topic of changes is called prefix.schema.table.
    for name in (*_names(source.get("tables")), *_names(source.get("topics"))):
        schema, _, table = ".".join(name.split(".")[-2:]).rpartition(".")
        yield _NO_WORD.sub("_", (table if schema in {"", _PUBLIC} else f"{schema}_{table}").lower())


def _part(spec: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part: Any = spec.get(name)
    return part if isinstance(part, Mapping) else {}  # pyright: ignore[reportUnknownVariableType]


def _names(given: Any) -> list[str]:
    return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []  # pyright: ignore[reportUnknownVariableType]

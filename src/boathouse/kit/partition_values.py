"""Partition values as people know them: Iceberg keeps a month as the number of months since 1970."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

Json = dict[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _year(ordinal: int) -> str:
    return f"{1970 + ordinal:04}"


def _month(ordinal: int) -> str:
    years, months = divmod(ordinal, 12)
    return f"{1970 + years:04}-{months + 1:02}"


def _hour(ordinal: int) -> str:
    return f"{_EPOCH + timedelta(hours=ordinal):%Y-%m-%d-%H}"


# As in the names of the files; a day comes from Spark as a date already.
_READABLE: dict[str, Callable[[int], str]] = {"year": _year, "month": _month, "hour": _hour}


def transforms(metadata: Json) -> dict[str, str]:
    """The transform of each partition field, of whichever of the table's specs."""
    fields = (field for spec in metadata.get("partition-specs", []) for field in spec["fields"])
    return {field["name"]: field["transform"] for field in fields}


def readable(partition: Mapping[str, Any] | None, by_name: Mapping[str, str]) -> Json | None:
    """The values with those of time written as such."""
    if partition is None:
        return None
    return {name: _value(value, by_name.get(name, "")) for name, value in partition.items()}


def _value(value: Any, transform: str) -> Any:
    write = _READABLE.get(transform)
    return write(value) if write and isinstance(value, int) else value

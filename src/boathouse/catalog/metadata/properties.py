"""Properties that the catalog itself reads."""

from collections.abc import Mapping

from boathouse.catalog.errors import IllegalArgument

# Asked for as properties, but kept as fields of the metadata.
RESERVED = frozenset(
    {
        "format-version",
        "uuid",
        "snapshot-count",
        "current-snapshot-summary",
        "current-snapshot-id",
        "current-snapshot-timestamp-ms",
        "current-schema",
        "default-partition-spec",
        "default-sort-order",
    }
)
_PARQUET_CODEC = "write.parquet.compression-codec"


def kept_properties(properties: Mapping[str, str]) -> dict[str, str]:
    """What a new table keeps of the properties asked for. New tables say zstd, so that a later default changes none."""
    return {_PARQUET_CODEC: "zstd"} | {name: value for name, value in properties.items() if name not in RESERVED}


def whole_number(properties: Mapping[str, str], name: str, default: int) -> int:
    value = properties.get(name)
    if value is None:
        return default
    try:
        return int(value)
    except ValueError:
        raise IllegalArgument(f"Invalid value for property {name}: {value!r} is not a whole number") from None

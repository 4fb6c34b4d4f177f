"""Partition transforms as a spec writes them: `region`, `month(ordered_at)`, `bucket(16, customer)`."""

import re
from dataclasses import dataclass
from typing import Any

TIME_TRANSFORMS = ("year", "month", "day", "hour")
SIZED_TRANSFORMS = ("bucket", "truncate")

_CALL = re.compile(r"^\s*([A-Za-z]+)\s*\(\s*(?:(\d+)\s*,\s*)?([^()]+?)\s*\)\s*$")
_NAME = re.compile(r"^[^\s(),]+$")


@dataclass(frozen=True)
class PartitionField:
    transform: str
    """In Iceberg's words: identity, month, bucket[16]."""
    column: str

    @property
    def name(self) -> str:
        kind = self.transform.partition("[")[0]
        return self.column if kind == "identity" else f"{self.column}_{kind}"


def parse_partition(text: str) -> PartitionField:
    """Read one transform; ValueError says what is wrong."""
    if _NAME.match(text.strip()):
        return PartitionField("identity", text.strip())
    call = _CALL.match(text)
    if call is None:
        raise ValueError(f"{text!r} is not a partition: write a column, or {_known()}")
    kind, size, column = call[1].lower().removesuffix("s"), call[2], call[3]
    if kind in TIME_TRANSFORMS and size is None:
        return PartitionField(kind, column)
    if kind in SIZED_TRANSFORMS and size is not None and int(size) > 0:
        return PartitionField(f"{kind}[{int(size)}]", column)
    raise ValueError(f"{text!r} is not a partition: the transforms are {_known()}")


def partition_spec(fields: list[PartitionField], schema: dict[str, Any]) -> dict[str, Any]:
    """The spec for a create request, over a schema whose fields have ids."""
    ids = {field["name"]: field["id"] for field in schema["fields"]}
    return {
        "spec-id": 0,
        "fields": [
            {"name": field.name, "transform": field.transform, "source-id": ids[field.column], "field-id": 1000 + place}
            for place, field in enumerate(fields)
        ],
    }


def _known() -> str:
    timed = ", ".join(f"{name}(column)" for name in TIME_TRANSFORMS)
    return f"{timed}, bucket(n, column), truncate(n, column)"

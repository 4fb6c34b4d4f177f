"""What a test of a column says about the partitions in which its rows may lie."""

from collections.abc import Sequence
from dataclasses import dataclass

from boathouse.catalog.metadata import Json
from boathouse.catalog.planning.expressions import Test
from boathouse.catalog.planning.transforms import TIMES, apply, is_known, result_type, width_of
from boathouse.catalog.planning.values import Value

Projected = tuple[str, tuple[Value, ...]]
_UPPER = frozenset({"lt", "lt-eq"})
_LOWER = frozenset({"gt", "gt-eq"})


@dataclass(frozen=True)
class PartitionField:
    id: int
    source_id: int
    transform: str
    type: str
    """Of the partition's values."""


def partition_fields(spec: Json, types: dict[int, str]) -> list[PartitionField]:
    return [_field(field, types, 1000 + position) for position, field in enumerate(spec["fields"])]


def projected(test: Test, field: PartitionField) -> Projected | None:
    """A test that the partition value of every row passes that passes `test`; None where there is none."""
    if test.column.id != field.source_id or not is_known(field.transform) or field.transform == "void":
        return None
    if test.transform == field.transform:
        return None if _before_1970(test) else (test.operation, test.literals)
    if test.transform != "identity":
        return None
    # A null stays one, and nothing else becomes one.
    if test.operation in {"is-null", "not-null"}:
        return test.operation, ()
    return _by_values(test, field.transform)


def _by_values(test: Test, transform: str) -> Projected | None:
    values: list[Value] = [apply(transform, literal, test.column.type) for literal in test.literals]
    name, width = width_of(transform)
    if not values or None in values:
        return None
    if name == "bucket":
        return _equalities(test.operation, values)
    if name == "truncate" and test.operation == "starts-with":
        return ("eq" if len(test.literals[0]) >= width else "starts-with"), tuple(values)
    return _ordered(test.operation, _both_spellings(values) if name in TIMES else values)


def _field(field: Json, types: dict[int, str], default_id: int) -> PartitionField:
    source = types.get(field.get("source-id", -1), "unknown")
    kind = result_type(field["transform"], source)
    return PartitionField(field.get("field-id", default_id), field.get("source-id", -1), field["transform"], kind)


def _equalities(operation: str, values: Sequence[Value]) -> Projected | None:
    return ("in", tuple(values)) if operation in {"eq", "in"} else None


def _ordered(operation: str, values: Sequence[Value]) -> Projected | None:
    """For transforms that keep the order of values, though not the distance between them."""
    if operation in _UPPER:
        return "lt-eq", (max(values),)
    if operation in _LOWER:
        return "gt-eq", (min(values),)
    return _equalities(operation, values)


def _before_1970(test: Test) -> bool:
    return test.transform in TIMES and any(literal < 0 for literal in test.literals)


def _both_spellings(values: Sequence[int]) -> list[int]:
    """Some writers rounded times before 1970 towards it: such a partition is one later than it should be."""
    return [*values, *(value + 1 for value in values if value < 0)]

"""Tables of a few files with known rows, and filters on them, for Hypothesis to vary."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from hypothesis import strategies as st
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import Transform, parse_transform
from pyiceberg.types import DateType, DoubleType, LongType, NestedField, StringType, TimestampType

from tests.manifest_files import Field, File, Json, Listed, bound, manifest, manifest_list, summary

Row = tuple[Any, ...]
"""Whole number, text, day and moment as Iceberg counts them, a floating number."""
SCHEMA = Schema(
    NestedField(1, "id", LongType()),
    NestedField(2, "name", StringType()),
    NestedField(3, "day", DateType()),
    NestedField(4, "at", TimestampType()),
    NestedField(5, "ratio", DoubleType()),
)
COLUMNS = ("id", "name", "day", "at", "ratio")
AVRO = {"id": "long", "name": "string", "day": "int", "at": "long", "ratio": "double"}
TRANSFORMS = {
    "id": ["identity", "bucket[3]", "truncate[10]", "void"],
    "name": ["identity", "bucket[3]", "truncate[2]"],
    "day": ["identity", "year", "month", "day", "bucket[2]"],
    "at": ["year", "month", "day", "hour", "identity"],
}
_EPOCH = date(1970, 1, 1)
_texts = st.text(alphabet="abz\U0001f6f6", max_size=4)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "id": st.integers(-30, 30),
    "name": _texts,
    "day": st.integers(-800, 800),
    "at": st.integers(-(10**14), 10**14) | st.integers(-3, 3).map(lambda hours: hours * 3_600_000_000),
    "ratio": st.sampled_from([-1.5, 0.0, 2.0, float("nan"), float("inf")]),
}
_rows = st.tuples(*(st.none() | VALUES[column] for column in COLUMNS))


@dataclass(frozen=True)
class Case:
    spec: PartitionSpec
    files: dict[str, list[Row]]
    """By path: the rows of a file have one partition."""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    column = draw(st.sampled_from(sorted(TRANSFORMS)))
    transform = draw(st.sampled_from(TRANSFORMS[column]))
    source = SCHEMA.find_field(column).field_id
    spec = PartitionSpec(PartitionField(source, 1000, parse_transform(transform), "part"), spec_id=0)
    partitions: dict[Any, list[Row]] = {}
    for row in draw(st.lists(_rows, min_size=1, max_size=12)):
        partitions.setdefault(partition_of(spec, row), []).append(row)
    halves = [half for rows in partitions.values() for half in (rows[::2], rows[1::2]) if half]
    return Case(spec, {f"f{number}": rows for number, rows in enumerate(halves)})


def partition_of(spec: PartitionSpec, row: Row) -> Any:
    field = spec.fields[0]
    transform: Transform[Any, Any] = field.transform
    kind = SCHEMA.find_type(field.source_id)
    apply: Callable[[Any], Any] = transform.transform(kind)
    return apply(row[field.source_id - 1])


def file_of(case: Case, path: str) -> File:
    rows = case.files[path]
    known = {place: [row[place - 1] for row in rows if not _blank(row[place - 1])] for place in range(1, 6)}
    kinds = {place: SCHEMA.find_type(place) for place in known}
    present = {place: values for place, values in known.items() if values}
    return File(
        path,
        {"part": partition_of(case.spec, rows[0])},
        rows=len(rows),
        values={place: len(rows) for place in known},
        nulls={place: sum(row[place - 1] is None for row in rows) for place in known},
        nans={5: sum(row[4] is not None and row[4] != row[4] for row in rows)},
        lower={place: bound(kinds[place], min(values)) for place, values in present.items()},
        upper={place: bound(kinds[place], max(values)) for place, values in present.items()},
    )


def metadata_of(case: Case, write: Callable[[str, bytes], str]) -> Json:
    """Metadata of the table with its manifests written: one for each file, so that manifests are judged too."""
    field = case.spec.fields[0]
    result: Any = field.transform.result_type(SCHEMA.find_type(field.source_id))
    avro = Field("part", _avro(result))
    listed: list[Listed] = []
    for path in case.files:
        file = file_of(case, path)
        content = manifest([file], [avro])
        part = file.partition["part"]
        edges = None if part is None else bound(result, part)
        described = summary(edges, edges, null=part is None, nan=False)
        location = write(f"{path}.avro", content)
        listed.append(Listed(location, len(content), files=1, rows=file.rows, summaries=[described]))
    return _metadata(case, write("list.avro", manifest_list(listed)))


def filters(depth: int = 2) -> st.SearchStrategy[Json]:
    tests = st.sampled_from(COLUMNS).flatmap(_tests)
    if depth == 0:
        return tests
    inner = filters(depth - 1)
    pairs = st.tuples(st.sampled_from(["and", "or"]), inner, inner)
    joined = pairs.map(lambda pair: {"type": pair[0], "left": pair[1], "right": pair[2]})
    return tests | joined | inner.map(lambda child: {"type": "not", "child": child})


def holds(found: Any, row: Row, *, negated: bool = False) -> bool:
    """What the filter means for a row.

    A comparison with a null does not hold, nor does its opposite; NaN is above any number.
    """
    if isinstance(found, bool):
        return found != negated
    kind = found["type"]
    if kind in {"and", "or"}:
        sides = [holds(found[side], row, negated=negated) for side in ("left", "right")]
        return all(sides) if (kind == "and") != negated else any(sides)
    if kind == "not":
        return holds(found["child"], row, negated=not negated)
    value = row[COLUMNS.index(found["term"])]
    literals = [_read(found["term"], one) for one in _literals(found)]
    return _passes(_opposite(kind) if negated else kind, value, literals)


def _opposite(kind: str) -> str:
    orders = {"lt": "gt-eq", "gt-eq": "lt", "gt": "lt-eq", "lt-eq": "gt", "not-null": "is-null", "not-nan": "is-nan"}
    if kind in orders:
        return orders[kind]
    return kind.removeprefix("not-") if kind.startswith("not-") else f"not-{kind.removeprefix('is-')}"


def _passes(kind: str, value: Any, literals: Sequence[Any]) -> bool:
    if kind in {"is-null", "not-null"}:
        return (value is None) == (kind == "is-null")
    if kind in {"is-nan", "not-nan"}:
        return (value is not None and value != value) == (kind == "is-nan")  # noqa: PLR0124 - only NaN is
    if kind in {"not-eq", "not-in", "not-starts-with"}:
        return not _passes(kind.removeprefix("not-"), value, literals)
    return value is not None and _compares(kind, value, literals)


def _compares(kind: str, value: Any, literals: Sequence[Any]) -> bool:
    if kind in {"eq", "in"}:
        return value in literals
    if kind == "starts-with":
        return value.startswith(literals[0])
    rank, limit = (value != value, value), (False, literals[0])  # noqa: PLR0124 - only NaN is
    return {"lt": rank < limit, "lt-eq": rank <= limit, "gt": rank > limit, "gt-eq": rank >= limit}[kind]


def _tests(column: str) -> st.SearchStrategy[Json]:
    literals = VALUES[column].filter(lambda value: value == value).map(lambda value: _written(column, value))  # noqa: PLR0124
    unary = st.sampled_from(["is-null", "not-null"] + (["is-nan", "not-nan"] if column == "ratio" else []))
    ordered = ["lt", "lt-eq", "gt", "gt-eq", "eq", "not-eq"]
    compared = st.sampled_from(ordered + (["starts-with", "not-starts-with"] if column == "name" else []))
    sets = st.sampled_from(["in", "not-in"])
    return (
        unary.map(lambda kind: {"type": kind, "term": column})
        | st.tuples(compared, literals).map(lambda one: {"type": one[0], "term": column, "value": one[1]})
        | st.tuples(sets, st.lists(literals, min_size=2, max_size=3, unique=True)).map(
            lambda one: {"type": one[0], "term": column, "values": one[1]}
        )
    )


def _literals(found: Json) -> list[Any]:
    return found["values"] if "values" in found else [found["value"]] if "value" in found else []


def _written(column: str, value: Any) -> Any:
    if column == "day":
        return (_EPOCH + timedelta(days=value)).isoformat()
    return 3e300 if value == float("inf") else value


def _read(column: str, literal: Any) -> Any:
    return (date.fromisoformat(literal) - _EPOCH).days if column == "day" else literal


def _blank(value: Any) -> bool:
    return value is None or value != value  # noqa: PLR0124 - only NaN is


def _avro(kind: Any) -> Any:
    logical = {"type": "int", "logicalType": "date"}
    micros = {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": False}
    return {"int": "int", "date": logical, "timestamp": micros}.get(str(kind), str(kind))


def _metadata(case: Case, manifest_list_location: str) -> Json:
    snapshot = {
        "snapshot-id": 1,
        "sequence-number": 1,
        "timestamp-ms": 1,
        "manifest-list": manifest_list_location,
        "summary": {"operation": "append"},
        "schema-id": 0,
    }
    return {
        "format-version": 2,
        "table-uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0007",
        "location": manifest_list_location.rpartition("/")[0],
        "last-sequence-number": 1,
        "last-updated-ms": 1,
        "last-column-id": 5,
        "current-schema-id": 0,
        "schemas": [SCHEMA.model_dump(mode="json", by_alias=True)],
        "default-spec-id": 0,
        "partition-specs": [case.spec.model_dump(mode="json", by_alias=True)],
        "last-partition-id": 1000,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": {},
        "current-snapshot-id": 1,
        "refs": {"main": {"snapshot-id": 1, "type": "branch"}},
        "snapshots": [snapshot],
    }

"""Whatever a request holds, it is carried out or refused in our own words; and what it made can be read again."""

import copy
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from boathouse.catalog.metadata import Json, check_requirements, create_table, new_table, read_metadata
from boathouse.kit.errors import Conflict, InvalidInput
from tests.unit.catalog.metadata.sample import NOW, SCHEMA, add_snapshot, changed, set_main, set_ref, with_history

STATISTICS = {"snapshot-id": 1, "statistics-path": "p", "file-size-in-bytes": 1}
BLOB = {"type": "ndv", "snapshot-id": 1, "sequence-number": 1, "fields": [1], "properties": {"ndv": "5"}}
ORDER = {"source-id": 1, "transform": "identity", "direction": "asc", "null-order": "nulls-first"}
NESTED = {
    "type": "struct",
    "identifier-field-ids": [1],
    "fields": [
        *SCHEMA["fields"],
        {
            "id": 4,
            "name": "l",
            "required": False,
            "type": {"type": "list", "element-id": 5, "element": "int", "element-required": True},
        },
        {
            "id": 6,
            "name": "m",
            "required": False,
            "type": {
                "type": "map",
                "key-id": 7,
                "key": "string",
                "value-id": 8,
                "value": "decimal(9,2)",
                "value-required": False,
            },
        },
    ],
}
UPDATES: list[Json] = [
    {"action": "assign-uuid", "uuid": "6b1f0a1c-6a39-4b6f-9a0a-0f4a8c9f0009"},
    {"action": "upgrade-format-version", "format-version": 3},
    {"action": "set-location", "location": "s3://lake/x"},
    {"action": "set-properties", "updates": {"write.metadata.previous-versions-max": "5"}},
    {"action": "remove-properties", "removals": ["a"]},
    {"action": "add-schema", "schema": NESTED, "last-column-id": 8},
    {"action": "set-current-schema", "schema-id": 0},
    {"action": "remove-schemas", "schema-ids": [5]},
    {
        "action": "add-spec",
        "spec": {"spec-id": 1, "fields": [{"source-id": 1, "field-id": 1000, "name": "b", "transform": "bucket[4]"}]},
    },
    {"action": "set-default-spec", "spec-id": 0},
    {"action": "remove-partition-specs", "spec-ids": [5]},
    {"action": "add-sort-order", "sort-order": {"order-id": 1, "fields": [ORDER]}},
    {"action": "set-default-sort-order", "sort-order-id": 0},
    add_snapshot(9, sequence=9, parent=2, **{"first-row-id": 0, "added-rows": 1}),
    {"action": "remove-snapshots", "snapshot-ids": [1]},
    set_main(1),
    set_ref("tag", 1, "tag", **{"max-ref-age-ms": 5}),
    {"action": "remove-snapshot-ref", "ref-name": "main"},
    {"action": "set-statistics", "statistics": {**STATISTICS, "file-footer-size-in-bytes": 1, "blob-metadata": [BLOB]}},
    {"action": "remove-statistics", "snapshot-id": 1},
    {"action": "set-partition-statistics", "partition-statistics": STATISTICS},
    {"action": "remove-partition-statistics", "snapshot-id": 1},
    {
        "action": "add-encryption-key",
        "encryption-key": {"key-id": "k", "encrypted-key-metadata": "eA", "encrypted-by-id": "m"},
    },
    {"action": "remove-encryption-key", "key-id": "k"},
]
REQUIREMENTS: list[Json] = [
    {"type": "assert-create"},
    {"type": "assert-table-uuid", "uuid": "x"},
    {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": 2},
    {"type": "assert-last-assigned-field-id", "last-assigned-field-id": 3},
    {"type": "assert-default-spec-id", "default-spec-id": 0},
]
CREATE: Json = {
    "schema": NESTED,
    "partition_spec": {"fields": [{"source-id": 1, "name": "b", "transform": "truncate[4]"}]},
    "write_order": {"order-id": 1, "fields": [ORDER]},
    "properties": {"format-version": "2"},
}
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**65), 2**65),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
        st.sampled_from(["struct", "list", "map", "int", "main", "void", "identity", "branch", "-1", ""]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


@st.composite
def spoilt(draw: st.DrawFn, sample: Any) -> Any:
    """A copy of the sample with one value, at whatever depth, replaced or left out."""
    value = copy.deepcopy(sample)
    holder: Any = [value]
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and draw(st.integers(0, 3)):
        holder = holder[key]
        key = draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
    if isinstance(holder, dict) and draw(st.booleans()):
        del holder[key]
        return value
    junk = draw(JUNK)
    if holder[key] is value:
        return junk
    holder[key] = junk
    return value


def made_or_refused(make: Callable[[], Json]) -> None:
    """What is made can be written and read again, and is then the same."""
    try:
        metadata = make()
    except (InvalidInput, Conflict):
        return
    with suppress(
        orjson.JSONEncodeError
    ):  # a number no JSON library of ours can hold: refused when the file is written
        again = orjson.loads(orjson.dumps(metadata))
        assert read_metadata(again) == again


@given(st.lists(st.sampled_from(UPDATES), max_size=2), st.sampled_from(UPDATES).flatmap(spoilt))
@settings(max_examples=600)
def test_updates(before: list[Json], update: Any) -> None:
    made_or_refused(lambda: changed(with_history(1, 2), *before, *([update] if isinstance(update, dict) else [])))


@given(st.sampled_from(REQUIREMENTS).flatmap(spoilt))
@settings(max_examples=250)
def test_requirements(requirement: Any) -> None:
    with suppress(InvalidInput, Conflict):
        check_requirements(with_history(1, 2), [requirement] if isinstance(requirement, dict) else [])


@given(spoilt(CREATE))
@settings(max_examples=250)
def test_new_tables(request: Any) -> None:
    if not isinstance(request, dict) or request.keys() != CREATE.keys() or not isinstance(request["properties"], dict):
        return
    if not all(isinstance(value, str) for value in request["properties"].values()):
        return
    made_or_refused(lambda: new_table(**request, uuid="u", location="s3://lake/t", now_ms=NOW))


@given(st.lists(st.sampled_from(UPDATES).flatmap(spoilt).filter(lambda update: isinstance(update, dict)), max_size=4))
@settings(max_examples=250)
def test_created_tables(updates: list[Json]) -> None:
    schema = [{"action": "add-schema", "schema": SCHEMA}, {"action": "set-current-schema", "schema-id": -1}]
    made_or_refused(lambda: create_table([*schema, *updates], uuid="u", default_location="s3://lake/t", now_ms=NOW))


@given(spoilt(with_history(1, 2)))
@settings(max_examples=250)
def test_files_of_others(json: Any) -> None:
    updates = [add_snapshot(9, sequence=9, parent=2), set_main(9), {"action": "remove-snapshots", "snapshot-ids": [1]}]
    with suppress(InvalidInput, Conflict):
        changed(read_metadata(json), *updates)

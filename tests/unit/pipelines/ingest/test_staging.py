"""A staged table is the target under another name, and publishing adds to the target what it has gained."""

import os
import socket
from datetime import timedelta
from typing import Any

import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.process_names import myself
from boathouse.pipelines.ingest.staging import (
    ABANDONED_AFTER,
    OWNER,
    StagedTable,
    _abandoned,
    _change,
    _copy,
    _creation,
    _now_ms,
    ownership,
)

Json = dict[str, Any]
ORDERS = TableName(("sales",), "orders")
STAGED = TableName(("_staging",), "sales__orders__1")
HOUR_MS = 3_600_000


def schema(number: int, *names: str) -> Json:
    fields = [{"id": n, "name": name, "required": False, "type": "string"} for n, name in enumerate(names, 1)]
    return {"type": "struct", "schema-id": number, "fields": fields}


def snapshot(number: int) -> Json:
    return {"snapshot-id": number, "sequence-number": number, "manifest-list": f"s3://lake/{number}.avro"}


def branch(number: int, **retention: int) -> Json:
    return {"type": "branch", "snapshot-id": number, **retention}


def metadata(**changes: Any) -> Json:
    """A table of two snapshots, the newer on main and the older tagged."""
    return {
        "format-version": 2,
        "table-uuid": "11111111-1111-1111-1111-111111111111",
        "location": "s3://lake/sales/orders",
        "last-updated-ms": 1_000,
        "last-column-id": 1,
        "schemas": [schema(0, "id")],
        "current-schema-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "default-spec-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "default-sort-order-id": 0,
        "properties": {"owner": "ada", "gc.enabled": "true"},
        "snapshots": [snapshot(1), snapshot(2)],
        "current-snapshot-id": 2,
        "refs": {"main": branch(2), "audited": {"type": "tag", "snapshot-id": 1}},
        "snapshot-log": [{"snapshot-id": 1, "timestamp-ms": 1}],
        "metadata-log": [{"metadata-file": "s3://lake/0.json", "timestamp-ms": 1}],
        **changes,
    }


EMPTY: Json = {"snapshots": [], "current-snapshot-id": -1, "refs": {}}


def staged(base: Json, *, exists: bool = True) -> StagedTable:
    return StagedTable(ORDERS, STAGED, base, exists=exists)


def actions(updates: object) -> list[str]:
    assert isinstance(updates, list)
    return [update["action"] for update in updates]


def test_a_copy_is_another_table_that_writes_into_the_targets_directories() -> None:
    target = metadata()
    copy = _copy(target, "s3://lake/_staging/x")
    assert copy["table-uuid"] != target["table-uuid"]
    assert copy["location"] == "s3://lake/_staging/x"
    assert copy["properties"]["write.data.path"] == "s3://lake/sales/orders/data"
    assert copy["properties"]["write.metadata.path"] == "s3://lake/sales/orders/metadata"
    assert copy["schemas"] == target["schemas"]
    assert target == metadata()


def test_nothing_can_be_deleted_through_a_copy() -> None:
    assert _copy(metadata(), "s3://lake/x")["properties"]["gc.enabled"] == "false"


def test_a_copy_keeps_the_directories_that_the_target_has_chosen() -> None:
    chosen = {"write.data.path": "s3://other/data"}
    assert _copy(metadata(properties=chosen), "s3://lake/x")["properties"]["write.data.path"] == "s3://other/data"


def test_a_copy_has_the_main_branch_alone() -> None:
    copy = _copy(metadata(), "s3://lake/x")
    assert (copy["refs"], copy["snapshots"]) == ({"main": branch(2)}, [snapshot(2)])
    assert (copy["snapshot-log"], copy["metadata-log"]) == ([], [])


def test_a_copy_of_an_empty_table_is_empty() -> None:
    copy = _copy(metadata(**EMPTY), "s3://lake/x")
    assert (copy["refs"], copy["snapshots"]) == ({}, [])


def test_a_copy_is_as_old_as_itself_and_not_as_its_target() -> None:
    assert _now_ms() - _copy(metadata(), "s3://lake/x")["last-updated-ms"] < HOUR_MS


def test_a_table_that_is_there_gains_snapshots_if_it_is_still_what_it_was() -> None:
    base = metadata()
    gained = metadata(snapshots=[snapshot(2), snapshot(4), snapshot(3)], refs={"main": branch(4)})
    change = _change(staged(base), gained)
    assert change.table == ORDERS
    assert change.updates == [
        {"action": "add-snapshot", "snapshot": snapshot(3)},
        {"action": "add-snapshot", "snapshot": snapshot(4)},
        {"action": "set-snapshot-ref", "ref-name": "main", "type": "branch", "snapshot-id": 4},
    ]
    assert change.requirements == [
        {"type": "assert-table-uuid", "uuid": base["table-uuid"]},
        {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": 2},
        {"type": "assert-current-schema-id", "current-schema-id": 0},
        {"type": "assert-last-assigned-field-id", "last-assigned-field-id": 1},
        {"type": "assert-default-spec-id", "default-spec-id": 0},
    ]


def test_how_long_the_main_branch_keeps_snapshots_outlives_a_load() -> None:
    kept = {"min-snapshots-to-keep": 5, "max-snapshot-age-ms": HOUR_MS}
    gained = metadata(snapshots=[snapshot(2), snapshot(3)], refs={"main": branch(3, **kept)})
    change = _change(staged(metadata(refs={"main": branch(2, **kept)})), gained)
    assert change.updates[-1] == {"action": "set-snapshot-ref", "ref-name": "main", **branch(3, **kept)}


def test_a_table_that_was_empty_must_still_be_empty() -> None:
    gained = metadata(snapshots=[snapshot(3)], refs={"main": branch(3)})
    change = _change(staged(metadata(**EMPTY)), gained)
    assert {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": None} in change.requirements


def test_a_load_that_wrote_nothing_changes_nothing() -> None:
    assert _change(staged(metadata()), metadata()).updates == []


def test_a_new_schema_comes_before_the_snapshots_that_use_it() -> None:
    gained = metadata(
        **{"schemas": [schema(0, "id"), schema(1, "id", "note")], "current-schema-id": 1, "last-column-id": 2},
        snapshots=[snapshot(2), snapshot(3)],
        refs={"main": branch(3)},
    )
    updates = list(_change(staged(metadata()), gained).updates)
    assert actions(updates) == ["add-schema", "set-current-schema", "add-snapshot", "set-snapshot-ref"]
    assert updates[0] == {"action": "add-schema", "schema": schema(1, "id", "note"), "last-column-id": 2}
    assert updates[1]["schema-id"] == 1


def test_a_new_table_is_created_only_if_nobody_has_created_it_meanwhile() -> None:
    base = metadata(**EMPTY)
    gained = metadata(snapshots=[snapshot(1)], refs={"main": branch(1)})
    change = _change(staged(base, exists=False), gained)
    assert change.requirements == [{"type": "assert-create"}]
    assert actions(list(change.updates))[-2:] == ["add-snapshot", "set-snapshot-ref"]


def test_a_new_table_has_the_identity_it_was_promised_and_nothing_of_the_copy() -> None:
    base = metadata(**EMPTY)
    updates = _creation(base, _copy(base, "s3://lake/_staging/x"))
    by_action = {update["action"]: update for update in updates}
    assert by_action["assign-uuid"]["uuid"] == base["table-uuid"]
    assert by_action["set-location"]["location"] == base["location"]
    assert by_action["set-properties"]["updates"] == base["properties"]
    assert by_action["upgrade-format-version"]["format-version"] == 2
    assert actions(updates).index("add-schema") < actions(updates).index("set-current-schema")
    assert actions(updates).index("add-spec") < actions(updates).index("set-default-spec")
    assert actions(updates).index("add-sort-order") < actions(updates).index("set-default-sort-order")


def test_a_table_of_rows_on_their_way_belongs_to_this_process() -> None:
    left = {"properties": dict([ownership()]), "last-updated-ms": 0}
    assert not _abandoned(left, _now_ms())


@pytest.mark.parametrize(
    ("owner", "age", "abandoned"),
    [
        (myself(), timedelta(days=30), False),
        (f"{socket.gethostname()} {os.getpid()} 1", timedelta(0), True),
        ("elsewhere 1 1", ABANDONED_AFTER - timedelta(minutes=1), False),
        ("elsewhere 1 1", ABANDONED_AFTER + timedelta(minutes=1), True),
        ("", timedelta(days=1), False),
        ("", timedelta(days=30), True),
    ],
    ids=["mine", "dead", "elsewhere, recent", "elsewhere, old", "unknown, recent", "unknown, old"],
)
def test_what_a_dead_load_left_is_abandoned_and_elsewhere_after_a_week(
    owner: str,
    age: timedelta,
    abandoned: bool,  # noqa: FBT001
) -> None:
    now = 1_800_000_000_000
    left = {"properties": {OWNER: owner} if owner else {}, "last-updated-ms": now - int(age.total_seconds() * 1000)}
    assert _abandoned(left, now) is abandoned

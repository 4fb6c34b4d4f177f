"""Scan planning over HTTP: which files an engine is told to read, and with which deletes."""

import asyncio
import time
from typing import Any

import pytest
from pyiceberg.types import LongType, StringType

from boathouse.catalog.planning.planner import Limits
from boathouse.kit.ids import new_uuid
from tests.behaviour.catalog.http_catalog import HttpCatalog, commit, table_path
from tests.behaviour.catalog.scanned_table import BY_DAY, ScannedTable, name_of
from tests.manifest_files import (
    DELETED,
    EQUALITY_DELETES,
    EXISTING,
    POSITION_DELETES,
    File,
    Json,
    Listed,
    bound,
    manifest_list,
    manifest_of_any_kind,
    summary,
)

ROW_IDS: Any = {"first-row-id": 0, "added-rows": 30}


@pytest.fixture
async def table(lake: HttpCatalog) -> ScannedTable:
    await lake.namespace("ns")
    return await ScannedTable.create(lake)


@pytest.fixture
async def daily(lake: HttpCatalog) -> ScannedTable:
    await lake.namespace("ns")
    return await ScannedTable.create(lake, spec=BY_DAY)


def ids(path: str, low: int, high: int, **more: Any) -> File:
    """A file whose ids lie between two numbers."""
    return File(path, lower={1: bound(LongType(), low)}, upper={1: bound(LongType(), high)}, **more)


def eq(column: str, value: Any) -> Json:
    return {"type": "eq", "term": column, "value": value}


class TestWhatIsScanned:
    async def test_a_table_without_snapshots_has_nothing_to_read(self, table: ScannedTable) -> None:
        plan = await table.plan()
        assert plan["status"] == "completed"
        assert plan["plan-id"]
        assert plan["file-scan-tasks"] == []

    async def test_the_latest_snapshot_of_main(self, table: ScannedTable) -> None:
        await table.snapshot(first := table.manifest(File("a")))
        await table.snapshot(first, table.manifest(File("b")))
        assert await table.paths() == ["a", "b"]

    async def test_a_snapshot_of_the_past(self, table: ScannedTable) -> None:
        old = await table.snapshot(first := table.manifest(File("a")))
        await table.snapshot(first, table.manifest(File("b")))
        assert await table.paths(snapshot_id=old) == ["a"]

    async def test_files_that_were_deleted_are_not_read(self, table: ScannedTable) -> None:
        gone = File("gone", status=DELETED, sequence=1, snapshot=1)
        await table.snapshot(table.manifest(gone, File("a", status=EXISTING, sequence=1, snapshot=1)))
        assert await table.paths() == ["a"]

    async def test_a_file_is_told_as_the_specification_writes_it(self, daily: ScannedTable) -> None:
        more = {"split_offsets": [4], "sort_order_id": 0}
        await daily.snapshot(daily.manifest(File("s3://x/a", {"day": 19_000}, more=more)))
        (task,) = (await daily.plan())["file-scan-tasks"]
        assert task["data-file"] == {
            "content": "data",
            "file-path": "s3://x/a",
            "file-format": "parquet",
            "spec-id": 0,
            "partition": ["2022-01-08"],
            "file-size-in-bytes": 1000,
            "record-count": 10,
            "split-offsets": [4],
            "sort-order-id": 0,
        }
        assert task["residual-filter"] is True
        assert "delete-file-references" not in task

    async def test_statistics_of_the_columns_that_are_asked_for(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(ids("a", 1, 5, values={1: 10, 2: 10}, nulls={1: 0, 2: 3})))
        (task,) = (await table.plan(stats_fields=["id", "unheard of"]))["file-scan-tasks"]
        file = task["data-file"]
        assert file["null-value-counts"] == {"keys": [1], "values": [0]}
        assert file["lower-bounds"] == {"keys": [1], "values": ["0100000000000000"]}
        (task,) = (await table.plan())["file-scan-tasks"]
        assert "lower-bounds" not in task["data-file"]

    async def test_the_first_version_of_the_format_names_manifests_in_the_metadata(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        table = await ScannedTable.create(lake, properties={"format-version": "1"})
        manifests = [table.manifest(File("a", snapshot=1)).path, table.manifest(File("b", snapshot=1)).path]
        oldest: Any = {"manifest-list": None, "manifests": manifests, "summary": None}
        await table.snapshot(**oldest)
        assert await table.paths() == ["a", "b"]
        assert await table.paths(filter=eq("id", 1)) == ["a", "b"]
        # Without a summary nobody knows whether it only appended.
        await table.snapshot(table.manifest(File("c", snapshot=2)))
        assert await table.paths(start_snapshot_id=1, end_snapshot_id=2) == ["c"]
        await table.snapshot(table.manifest(File("d", snapshot=3)), summary=None)
        assert await table.paths(start_snapshot_id=1, end_snapshot_id=3) == ["c"]

    async def test_rows_of_the_third_version_keep_their_ids(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        table = await ScannedTable.create(lake, properties={"format-version": "3"})
        own = File("b", more={"first_row_id": 7})
        written = table.manifest(File("a"), own, File("c"), first_row_id=100)
        await table.snapshot(written, **ROW_IDS)
        files = [task["data-file"] for task in (await table.plan())["file-scan-tasks"]]
        assert [file["first-row-id"] for file in files] == [100, 7, 110]
        assert {file["data-sequence-number"] for file in files} == {1}


class TestAppends:
    """Incremental scans."""

    @pytest.fixture
    async def history(self, table: ScannedTable) -> ScannedTable:
        await table.snapshot(table.manifest(File("a", snapshot=1)))
        await table.snapshot(table.manifest(File("b", snapshot=2), snapshot=2))
        kept = File("b", status=EXISTING, sequence=2, snapshot=2)
        await table.snapshot(table.manifest(kept, File("rewritten", snapshot=3)), operation="replace")
        await table.snapshot(table.manifest(File("c", snapshot=4)))
        return table

    async def test_only_what_appends_added(self, history: ScannedTable) -> None:
        assert await history.paths(start_snapshot_id=1, end_snapshot_id=4) == ["b", "c"]
        assert await history.paths(start_snapshot_id=3, end_snapshot_id=4) == ["c"]
        assert await history.paths(start_snapshot_id=4, end_snapshot_id=4) == []

    async def test_a_long_history_is_planned_snapshot_by_snapshot(self, history: ScannedTable) -> None:
        history.lake.catalog.scans.limits = Limits(snapshots=1)
        plan = await history.plan(start_snapshot_id=1, end_snapshot_id=4)
        assert len(plan["plan-tasks"]) == 2
        assert await history.paths(start_snapshot_id=1, end_snapshot_id=4) == ["b", "c"]

    @pytest.mark.parametrize(
        "asked",
        [
            {"start-snapshot-id": 1},
            {"end-snapshot-id": 1},
            {"snapshot-id": 1, "start-snapshot-id": 1, "end-snapshot-id": 2},
            {"start-snapshot-id": 4, "end-snapshot-id": 1},
            {"start-snapshot-id": 1, "end-snapshot-id": 99},
        ],
    )
    async def test_a_range_that_is_none_is_refused(self, history: ScannedTable, asked: Json) -> None:
        await history.lake.refused(400, "POST", f"{history.uri}/plan", asked)


class TestFilters:
    async def test_files_without_rows_that_pass_are_left_out(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(ids("low", 0, 9), ids("high", 10, 19)))
        assert await table.paths(filter=eq("id", 12)) == ["high"]
        assert await table.paths(filter={"type": "lt", "term": "id", "value": 10}) == ["low"]
        assert await table.paths(filter=False) == []

    async def test_partitions_without_rows_that_pass_are_left_out(self, daily: ScannedTable) -> None:
        await daily.snapshot(daily.manifest(File("a", {"day": 19_000}), File("b", {"day": 19_001})))
        plan = await daily.plan(filter=eq("day", "2022-01-09"))
        (task,) = plan["file-scan-tasks"]
        assert name_of(task["data-file"]) == "b"
        assert task["residual-filter"] is True

    async def test_a_manifest_without_rows_that_pass_is_not_even_read(self, daily: ScannedTable) -> None:
        days = [summary(b"\x38\x4a\x00\x00", b"\x38\x4a\x00\x00")]
        await daily.snapshot(Listed(f"file://{daily.directory}/missing.avro", 10, summaries=days))
        assert await daily.paths(filter=eq("day", "2022-01-09")) == []
        await daily.lake.refused(404, "POST", f"{daily.uri}/plan", {"filter": eq("day", "2022-01-08")})

    async def test_what_is_left_to_test_is_told(self, daily: ScannedTable) -> None:
        await daily.snapshot(daily.manifest(File("a", {"day": 19_000})))
        both = {"type": "and", "left": eq("day", "2022-01-08"), "right": eq("id", 1)}
        (task,) = (await daily.plan(filter=both))["file-scan-tasks"]
        assert task["residual-filter"] == eq("id", 1)

    async def test_names_are_found_in_any_case_if_asked_for(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(File("a")))
        assert await table.paths(filter=eq("NAME", "x"), case_sensitive=False) == ["a"]
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {"filter": eq("NAME", "x")})
        assert (error["type"], error["message"]) == (
            "ValidationException",
            "Cannot find field 'NAME' in the table's schema",
        )

    async def test_names_are_those_of_the_snapshots_schema_if_asked_for(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(File("a")))
        renamed = {"type": "struct", "fields": [{"id": 1, "name": "number", "required": True, "type": "long"}]}
        add = {"action": "add-schema", "schema": renamed}
        await table.lake.ok("POST", table.uri, commit(add, {"action": "set-current-schema", "schema-id": -1}))
        assert await table.paths(filter=eq("number", 1), snapshot_id=1) == ["a"]
        assert await table.paths(filter=eq("id", 1), snapshot_id=1, use_snapshot_schema=True) == ["a"]
        await table.lake.refused(400, "POST", f"{table.uri}/plan", {"filter": eq("id", 1), "snapshot-id": 1})

    @pytest.mark.parametrize(
        "bad",
        [
            "id = 1",
            {"type": "like", "term": "id", "value": "x"},
            eq("id", "one"),
            eq("id", None),
            eq("id", 1.5),
            eq("day", "yesterday"),
            {"type": "in", "term": "id", "values": 1},
            {"type": "and", "left": True},
            {"type": "not"},
            {"type": "is-null"},
            {"type": "starts-with", "term": "id", "value": 1},
            {"type": "eq", "term": {"type": "reference"}, "value": 1},
            {"type": "eq", "term": {"type": "transform", "transform": "day", "term": "none"}, "value": 1},
        ],
    )
    async def test_a_filter_that_is_none_is_refused(self, table: ScannedTable, bad: Any) -> None:
        await table.lake.refused(400, "POST", f"{table.uri}/plan", {"filter": bad})

    async def test_a_filter_may_be_long_but_not_endlessly_nested(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(ids("a", 0, 9)))
        chain: Json = eq("id", 5)
        for number in range(100, 400):
            chain = {"type": "or", "left": chain, "right": eq("id", number)}
        (task,) = (await table.plan(filter=chain))["file-scan-tasks"]
        assert task["residual-filter"]["type"] == "or"
        nested: Json = eq("id", 5)
        for kind in ["and", "or"] * 100:
            nested = {"type": kind, "left": nested, "right": eq("id", 6)}
        await table.lake.refused(400, "POST", f"{table.uri}/plan", {"filter": nested})

    async def test_filters_are_read_by_the_threads_that_plan(self, table: ScannedTable) -> None:
        turns = table.lake.catalog.scans._turns
        async with turns, turns:
            asked = asyncio.create_task(table.lake.refused(400, "POST", f"{table.uri}/plan", {"filter": "id = 1"}))
            done, _ = await asyncio.wait({asked}, timeout=0.5)
            assert not done
        await asked

    async def test_a_function_nobody_knows_is_left_to_the_reader(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(File("a")))
        term = {"type": "apply", "function": "length", "arguments": [{"type": "reference", "name": "Name"}]}
        unknown = {"type": "eq", "left": term, "right": 3}
        (task,) = (await table.plan(filter=unknown))["file-scan-tasks"]
        assert task["residual-filter"] == unknown


class TestDeletes:
    async def test_they_apply_to_older_files_of_their_partition(self, daily: ScannedTable) -> None:
        monday, tuesday = {"day": 19_000}, {"day": 19_001}
        old = daily.manifest(File("old", monday, sequence=1), File("other", tuesday, sequence=1))
        gone = daily.manifest(
            File("positions", monday, POSITION_DELETES, sequence=2),
            File("values", monday, EQUALITY_DELETES, sequence=2, more={"equality_ids": [1]}),
            content=1,
        )
        new = daily.manifest(File("same", monday, sequence=2), File("new", monday, sequence=3))
        await daily.snapshot(old, new, gone, operation="overwrite")
        plan = await daily.plan()
        assert applied(plan) == {"old": {"positions", "values"}, "other": set(), "same": {"positions"}, "new": set()}
        values = next(file for file in plan["delete-files"] if name_of(file) == "values")
        assert (values["content"], values["equality-ids"]) == ("equality-deletes", [1])

    async def test_position_deletes_of_one_file(self, table: ScannedTable) -> None:
        path = {2147483546: bound(StringType(), "s3://x/a")}
        deletes = table.manifest(
            File("by-bounds", content=POSITION_DELETES, lower=path, upper=path),
            File("by-name", content=POSITION_DELETES, more={"referenced_data_file": "s3://x/b"}),
            content=1,
        )
        await table.snapshot(table.manifest(File("s3://x/a"), File("s3://x/b")), deletes, operation="overwrite")
        assert applied(await table.plan()) == {"a": {"by-bounds"}, "b": {"by-name"}}

    async def test_a_deletion_vector_replaces_position_deletes(self, lake: HttpCatalog) -> None:
        await lake.namespace("ns")
        table = await ScannedTable.create(lake, properties={"format-version": "3"})

        def vector(name: str, offset: int) -> File:
            more = {"referenced_data_file": name, "content_offset": offset, "content_size_in_bytes": 9}
            return File("vectors.puffin", content=POSITION_DELETES, format="PUFFIN", more=more)

        deletes = table.manifest(
            File("positions", content=POSITION_DELETES), vector("a", 4), vector("b", 13), content=1
        )
        data = table.manifest(File("a"), File("b"), File("c"), first_row_id=0)
        await table.snapshot(data, deletes, operation="overwrite", **ROW_IDS)
        plan = await table.plan()
        assert applied(plan) == {"a": {"vectors.puffin"}, "b": {"vectors.puffin"}, "c": {"positions"}}
        offsets = {task["data-file"]["file-path"]: task["delete-file-references"] for task in plan["file-scan-tasks"]}
        assert [plan["delete-files"][offsets[name][0]]["content-offset"] for name in "ab"] == [4, 13]
        assert plan["delete-files"][offsets["a"][0]]["referenced-data-file"] == "a"


class TestLargeTables:
    @pytest.fixture
    async def large(self, table: ScannedTable) -> ScannedTable:
        """More than is planned at once."""
        table.lake.catalog.scans.limits = Limits(files=3)
        deletes = table.manifest(File("gone", content=POSITION_DELETES), content=1)
        parts = [table.manifest(*(File(f"{part}{number}") for number in range(2))) for part in "abcd"]
        await table.snapshot(*parts, deletes, operation="overwrite")
        return table

    async def test_they_are_planned_in_parts(self, large: ScannedTable) -> None:
        plan = await large.plan()
        assert "file-scan-tasks" not in plan
        assert len(plan["plan-tasks"]) == 4
        assert await large.paths() == [f"{part}{number}" for part in "abcd" for number in range(2)]
        assert applied(await large.fetch(plan["plan-tasks"][0])) == {"a0": {"gone"}, "a1": {"gone"}}

    async def test_another_server_goes_on_with_the_plan(self, large: ScannedTable) -> None:
        plan = await large.plan()
        again = await large.lake.ok("GET", f"{large.uri}/plan/{plan['plan-id']}")
        assert again == {"status": "completed", "plan-tasks": plan["plan-tasks"]}

    async def test_a_plan_stays_with_its_snapshot(self, large: ScannedTable) -> None:
        plan = await large.plan()
        await large.snapshot(large.manifest(File("new")))
        assert len((await large.fetch(plan["plan-tasks"][0]))["file-scan-tasks"]) == 2

    async def test_no_more_rows_than_are_asked_for(self, table: ScannedTable) -> None:
        table.lake.catalog.scans.limits = Limits(files=1)
        await table.snapshot(*(table.manifest(File(name)) for name in "abcd"))
        assert await table.paths(min_rows_requested=15) == ["a", "b"]
        assert await table.paths(min_rows_requested=15, filter=eq("id", 1)) == ["a", "b", "c", "d"]

    @pytest.mark.parametrize(
        "text", ["", "x", "x.1.0.", "~" + "0" * 64, "eJwDAAAAAAE.1.0.1", "ü", "a.b.c.d", "1.1.1.1"]
    )
    async def test_a_task_that_is_none(self, large: ScannedTable, text: str) -> None:
        error = await large.lake.refused(404, "POST", f"{large.uri}/tasks", {"plan-task": text})
        assert error["type"] == "NoSuchPlanTaskException"

    async def test_a_task_of_another_table_or_snapshot(self, large: ScannedTable) -> None:
        task = (await large.plan())["plan-tasks"][0]
        other = await ScannedTable.create(large.lake, "other")
        for uri, text in ((other.uri, task), (large.uri, task.replace(".1.0.", ".2.0."))):
            error = await large.lake.refused(404, "POST", f"{uri}/tasks", {"plan-task": text})
            assert error["type"] == "NoSuchPlanTaskException"

    async def test_a_plan_whose_snapshot_expired(self, large: ScannedTable) -> None:
        plan = await large.plan()
        await large.snapshot(large.manifest(File("new")))
        await large.lake.ok("POST", large.uri, commit({"action": "remove-snapshots", "snapshot-ids": [1]}))
        await large.lake.refused(404, "POST", f"{large.uri}/tasks", {"plan-task": plan["plan-tasks"][0]})
        error = await large.lake.refused(404, "GET", f"{large.uri}/plan/{plan['plan-id']}")
        assert error["type"] == "NoSuchPlanIdException"


class TestPlanIds:
    @pytest.mark.parametrize("method", ["GET", "DELETE"])
    async def test_an_id_that_is_none(self, table: ScannedTable, method: str) -> None:
        for text in ("none", "~" + "0" * 64, "~short", "%C3%BC"):
            error = await table.lake.refused(404, method, f"{table.uri}/plan/{text}")
            assert error["type"] == "NoSuchPlanIdException"

    @pytest.mark.parametrize(
        ("method", "path"), [("POST", "plan"), ("GET", "plan/x"), ("DELETE", "plan/x"), ("POST", "tasks")]
    )
    async def test_a_table_that_is_not_there(self, table: ScannedTable, method: str, path: str) -> None:
        body = {"plan-task": "x"} if method == "POST" else None
        error = await table.lake.refused(404, method, f"{table_path('none')}/{path}", body)
        assert error["type"] == "NoSuchTableException"

    async def test_a_snapshot_that_is_not_there(self, table: ScannedTable) -> None:
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {"snapshot-id": 9})
        assert error["message"] == "Cannot find snapshot with ID 9"

    async def test_a_plan_can_be_cancelled(self, table: ScannedTable) -> None:
        plan = await table.plan()
        again = await table.plan()
        await table.lake.ok("DELETE", f"{table.uri}/plan/{plan['plan-id']}")
        assert await table.lake.ok("GET", f"{table.uri}/plan/{plan['plan-id']}") == {"status": "cancelled"}
        assert (await table.lake.ok("GET", f"{table.uri}/plan/{again['plan-id']}"))["status"] == "completed"

    async def test_a_filter_too_long_for_an_address_is_kept(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(ids("a", 0, 9)))
        many = {"type": "in", "term": "id", "values": [number * 7919 % 100_003 for number in range(5000)]}
        plan = await table.plan(filter=many)
        assert len(plan["plan-id"]) < 100
        found = await table.lake.ok("GET", f"{table.uri}/plan/{plan['plan-id']}")
        assert found["file-scan-tasks"] == plan["file-scan-tasks"]
        await table.lake.ok("DELETE", f"{table.uri}/plan/{plan['plan-id']}")
        assert await table.lake.ok("GET", f"{table.uri}/plan/{plan['plan-id']}") == {"status": "cancelled"}

    async def test_a_kept_filter_is_forgotten_in_time(self, table: ScannedTable) -> None:
        many = {"type": "in", "term": "id", "values": [number * 7919 % 100_003 for number in range(5000)]}
        plan = await table.plan(filter=many)
        table.lake.catalog.scans._clock = lambda: time.time() + 2 * 24 * 3600
        await table.lake.refused(404, "GET", f"{table.uri}/plan/{plan['plan-id']}")
        assert await table.lake.catalog.scans.forget_expired() == 1


class TestRepeats:
    async def test_a_key_gives_the_same_plan_again(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(File("a")))
        key = {"Idempotency-Key": new_uuid()}
        first = await table.lake.ok("POST", f"{table.uri}/plan", {}, headers=key)
        await table.snapshot(table.manifest(File("b")))
        assert await table.lake.ok("POST", f"{table.uri}/plan", {}, headers=key) == first
        await table.lake.refused(422, "POST", f"{table.uri}/plan", {"snapshot-id": 1}, headers=key)

    async def test_a_refusal_is_repeated(self, table: ScannedTable) -> None:
        key = {"Idempotency-Key": new_uuid()}
        for _ in range(2):
            await table.lake.refused(400, "POST", f"{table.uri}/plan", {"snapshot-id": 9}, headers=key)

    async def test_tasks_and_cancellations_too(self, table: ScannedTable) -> None:
        table.lake.catalog.scans.limits = Limits(files=1)
        await table.snapshot(table.manifest(File("a")), table.manifest(File("b")))
        plan = await table.plan()
        fetching, cancelling = ({"Idempotency-Key": new_uuid()} for _ in range(2))
        task = {"plan-task": plan["plan-tasks"][1]}
        answers = [await table.lake.ok("POST", f"{table.uri}/tasks", task, headers=fetching) for _ in range(2)]
        assert answers[0] == answers[1]
        for _ in range(2):
            await table.lake.ok("DELETE", f"{table.uri}/plan/{plan['plan-id']}", headers=cancelling)


class TestWhatMayBeRead:
    async def test_nothing_outside_the_warehouse(self, table: ScannedTable) -> None:
        await table.snapshot(Listed("file:///etc/passwd", 10))
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {})
        assert "is not inside the warehouse" in error["message"]

    async def test_nothing_of_another_table(self, table: ScannedTable) -> None:
        other = await ScannedTable.create(table.lake, "other")
        await table.snapshot(other.manifest(File("secret")))
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {})
        assert "lies in the location of another table" in error["message"]

    async def test_manifests_beside_the_table_that_are_nobodys(self, table: ScannedTable) -> None:
        written = table.manifest(File("a"))
        path = table.lake.root / "shared.avro"
        path.write_bytes((table.directory / "metadata" / "m0.avro").read_bytes())
        await table.snapshot(Listed(f"file://{path}", written.length))
        assert await table.paths() == ["a"]

    @pytest.mark.parametrize("content", [b"", b"Obj\x01", b"Obj\x01" + b"\xff" * 100, b"not Avro"])
    async def test_what_is_no_manifest_is_refused(self, table: ScannedTable, content: bytes) -> None:
        path = table.directory / "metadata" / "broken.avro"
        path.write_bytes(content)
        await table.snapshot(Listed(f"file://{path}", 10))
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {})
        assert error["type"] == "ValidationException"

    async def test_a_manifest_cut_short_is_refused(self, table: ScannedTable) -> None:
        written = table.manifest(*(File(f"a{number}") for number in range(100)))
        path = table.directory / "metadata" / "m0.avro"
        for length in range(1, written.length - 1, written.length // 20):
            path.write_bytes(path.read_bytes()[:-length])
            if not table.snapshots:
                await table.snapshot(written)
            await table.lake.refused(400, "POST", f"{table.uri}/plan", {})


def applied(plan: Json) -> dict[str, set[str]]:
    """The names of the delete files of each data file."""
    deletes = plan.get("delete-files", [])
    return {
        name_of(task["data-file"]): {name_of(deletes[place]) for place in task.get("delete-file-references", [])}
        for task in plan["file-scan-tasks"]
    }


class TestManifestsOfBadWill:
    async def test_no_more_is_unpacked_than_there_is_room_for(self, table: ScannedTable) -> None:
        await table.snapshot(table.manifest(File("a")))
        huge = manifest_list([Listed("A" * 100_000_000, 1)])
        assert len(huge) < 200_000
        (table.directory / "metadata" / "snap-1.avro").write_bytes(huge)
        began = time.monotonic()
        error = await table.lake.refused(400, "POST", f"{table.uri}/plan", {})
        assert "unpacks to more than is read" in error["message"]
        assert len(error["message"]) < 1000
        assert time.monotonic() - began < 5

    @pytest.mark.parametrize(
        "wrong",
        [
            {"record_count": None},
            {"record_count": "ten"},
            {"file_path": b"bytes"},
            {"file_path": "x" * 100_000},
            {"file_size_in_bytes": None},
            {"file_format": 5},
            {"content": 9},
            {"split_offsets": "text"},
            {"key_metadata": "text"},
            {"lower_bounds": [{"key": 1, "value": "text"}]},
            {"partition": {"day": "not a day"}},
        ],
    )
    async def test_a_manifest_with_values_of_another_kind_is_refused(self, daily: ScannedTable, wrong: Json) -> None:
        await daily.snapshot(daily.manifest(File("a", {"day": 1})))
        (file,) = (daily.directory / "metadata").glob("m*.avro")
        file.write_bytes(manifest_of_any_kind([File("a", {"day": 1})], daily.fields, wrong))
        error = await daily.lake.refused(400, "POST", f"{daily.uri}/plan", {})
        assert "not an Avro file as Iceberg writes it" in error["message"]

    async def test_what_goes_wrong_in_planning_is_no_commit_of_unknown_state(
        self, table: ScannedTable, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(type(table.lake.catalog.scans), "submit", broken)
        error = await table.lake.refused(500, "POST", f"{table.uri}/plan", {})
        assert error["type"] == "InternalServerError"

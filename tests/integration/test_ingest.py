"""Files become tables: formats, modes, evolution, and each file once."""

import json
from datetime import UTC, datetime
from typing import Any

import obstore
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boathouse.kit.catalog_client import TableName
from boathouse.kit.errors import InvalidInput, WorkFailed
from boathouse.kit.objects import open_store
from boathouse.pipelines.ingest import load as load_module
from boathouse.pipelines.ingest.new_files import NewFiles
from tests.loading import Loading

pytestmark = pytest.mark.stack

ORDERS = """
    pipeline: orders
    source: {path: "*.csv", format: csv}
    schema: {id: bigint, item: string, price: "decimal(8,2)", sold_on: date}
    expectations:
      - {name: has a price, check: price > 0}
    target: {table: NS.orders}
"""
MERGED = """
    pipeline: orders
    source: {path: "*.csv", format: csv}
    schema: {id: bigint, item: string, changed: int}
    target: {table: NS.orders, mode: merge, keys: [id], latest_by: changed}
"""


def test_a_csv_file_becomes_a_table_and_its_bad_rows_rejects(loading: Loading) -> None:
    loading.write(
        "a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n2,rope,-1,2026-01-03\n3,canoe,cheap,2026-01-04\n"
    )
    report = loading.run(ORDERS)
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (3, 1, 2)
    assert loading.rows("select id, item, cast(price as string) from NS.orders") == [(1, "oar", "9.50")]
    file = f"file://{loading.folder}/a.csv"
    assert loading.rows("select file, line, reason, raw from NS.orders__rejects order by line") == [
        (file, 3, "breaks: has a price (price > 0)", "2,rope,-1,2026-01-03"),
        (file, 4, "price is not decimal(8,2): cheap", "3,canoe,cheap,2026-01-04"),
    ]


def test_a_file_is_loaded_once_however_it_is_called(loading: Loading) -> None:
    content = "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n"
    loading.write("a.csv", content)
    assert loading.run(ORDERS).files_loaded == 1
    loading.write("copy of a.csv", content)
    again = loading.run(ORDERS)
    assert (again.files_loaded, again.files_skipped, again.rows_written) == (0, 2, 0)
    loading.write("b.csv", content.replace("oar", "rope"))
    assert loading.run(ORDERS).files_loaded == 1
    assert loading.rows("select count(*) from NS.orders") == [(2,)]


def test_everything_becomes_visible_in_one_commit(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n2,rope,x,\n")
    report = loading.run(ORDERS)
    with loading.catalog() as client:
        names = {str(name) for name in client.tables((loading.namespace,))}
        metadata = client.load_table(TableName((loading.namespace,), "orders")).metadata
        assert list(client.tables(("_staging",))) == []
    assert names == {f"{loading.namespace}.orders{suffix}" for suffix in ("", "__rejects", "__loads")}
    assert [snapshot["snapshot-id"] for snapshot in metadata["snapshots"]] == [report.snapshot_id]
    assert metadata["properties"].keys().isdisjoint({"gc.enabled", "write.data.path", "boathouse.staging-owner"})
    files = loading.rows("select file_path from NS.orders.files")
    assert all(path.startswith(metadata["location"] + "/data/") for (path,) in files)


def test_a_failed_expectation_stops_the_load_and_leaves_nothing(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n2,rope,-1,2026-01-03\n")
    with pytest.raises(WorkFailed, match=r"1 row breaks 'has a price'\. The first is .*, line"):
        loading.run(ORDERS.replace("check: price > 0", "check: price > 0, otherwise: fail"))
    with loading.catalog() as client:
        assert list(client.tables((loading.namespace,))) == []
        assert list(client.tables(("_staging",))) == []


def test_dropped_rows_are_counted_and_not_kept(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n2,rope,-1,2026-01-03\n")
    report = loading.run(ORDERS.replace("check: price > 0", "check: price > 0, otherwise: drop"))
    assert (report.rows_in, report.rows_written, report.rows_dropped, report.rows_quarantined) == (2, 1, 1, 0)
    assert loading.rows("select count(*) from NS.orders__rejects") == [(0,)]


def test_a_check_that_is_null_does_not_pass(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,,2026-01-02\n")
    assert loading.run(ORDERS).rows_quarantined == 1


def test_a_schema_is_inferred_where_none_is_given(loading: Loading) -> None:
    loading.write(
        "a.csv",
        "n,x,day,at,word\n1,1.5,2026-01-02,2026-01-02 03:04:05,a\n3000000000,2,2026-01-03,2026-01-02 03:04:06,b\n",
    )
    loading.run("""
        pipeline: inferred
        source: {path: a.csv, format: csv}
        target: {table: NS.inferred}
    """)
    described = dict(row[:2] for row in loading.rows("describe NS.inferred"))
    assert described == {"n": "bigint", "x": "double", "day": "date", "at": "timestamp", "word": "string"}


def test_json_lines_with_nested_fields(loading: Loading) -> None:
    lines = [
        {"id": 1, "who": {"name": "Ada", "tags": ["x", "y"]}},
        {"id": "two", "who": None},
        {"id": 3, "who": {"name": "Bob", "tags": []}, "surprise": True},
    ]
    loading.write("a.json", "\n".join([*(json.dumps(line) for line in lines), "{not json", ""]))
    report = loading.run("""
        pipeline: people
        source: {path: a.json, format: json}
        schema: {id: int, who: "struct<name:string,tags:array<string>>"}
        target: {table: NS.people}
    """)
    assert (report.rows_written, report.rows_quarantined) == (1, 3)
    assert loading.rows("select id, who.name, who.tags from NS.people") == [(1, "Ada", ["x", "y"])]
    assert loading.rows("select line, reason from NS.people__rejects order by line") == [
        (2, "id is not int: two"),
        (3, "fields that the schema does not have: surprise"),
        (4, "not a JSON object (a line holds one whole object)"),
    ]


def test_parquet_is_cast_and_what_does_not_fit_is_rejected(loading: Loading) -> None:
    table = pa.table({"id": ["1", "2", "x"], "at": [datetime(2026, 1, n, tzinfo=UTC) for n in (1, 2, 3)]})
    pq.write_table(table, loading.folder / "a.parquet")
    report = loading.run("""
        pipeline: events
        source: {path: a.parquet, format: parquet}
        schema: {id: bigint, at: timestamp}
        expectations:
          - {check: id < 2}
        target: {table: NS.events}
    """)
    assert (report.rows_written, report.rows_quarantined) == (1, 2)
    assert loading.rows("select line, reason from NS.events__rejects order by line") == [
        (2, "breaks: id < 2"),
        (3, "id is not bigint: x"),
    ]


def test_plain_text_is_a_row_a_line(loading: Loading) -> None:
    loading.write("a.log", "first\n\nthird, with ümlaut\n")
    loading.run("""
        pipeline: log
        source: {path: a.log, format: text}
        expectations:
          - {check: line <> '', otherwise: quarantine}
        target: {table: NS.log}
    """)
    assert sorted(loading.rows("select line from NS.log")) == [("first",), ("third, with ümlaut",)]
    assert loading.rows("select line, raw from NS.log__rejects") == [(2, "")]


def test_binary_files_are_a_row_each(loading: Loading) -> None:
    loading.write("a.bin", b"\x00\xff\x10")
    loading.write("b.bin", b"")
    loading.run("""
        pipeline: scans
        source: {path: "*.bin", format: binary}
        target: {table: NS.scans}
    """)
    rows = loading.rows("select file, size, content from NS.scans order by file")
    assert [(file.rpartition("/")[2], size, bytes(content)) for file, size, content in rows] == [
        ("a.bin", 3, b"\x00\xff\x10"),
        ("b.bin", 0, b""),
    ]


def test_files_are_read_from_object_storage(loading: Loading) -> None:
    store = loading.access.object_store
    bucket = open_store(
        f"s3://{store.bucket}",
        endpoint=store.endpoint,
        region=store.region,
        access_key=store.access_key.get_secret_value(),
        secret_key=store.secret_key.get_secret_value(),
    )
    folder = f"landing/{loading.namespace}"
    obstore.put(bucket, f"{folder}/2026/a b.csv", b"id,item,price,sold_on\n1,oar,9.50,2026-01-02\n2,rope,x,\n")
    obstore.put(bucket, f"{folder}/2026/b.csv", b"id,item,price,sold_on\n3,oar,9.50,2026-01-02\n")
    obstore.put(bucket, f"{folder}/2026/other.txt", b"not this one")
    spec = ORDERS.replace('"*.csv"', f"s3://{store.bucket}/{folder}/*/*.csv")
    report = loading.run(spec)
    assert (report.files_loaded, report.rows_written, report.rows_quarantined) == (2, 2, 1)
    assert loading.rows("select file, line from NS.orders__rejects") == [
        (f"s3://{store.bucket}/{folder}/2026/a b.csv", 3)
    ]
    assert loading.run(spec).files_skipped == 2


def test_merge_updates_by_key_and_the_latest_row_wins(loading: Loading) -> None:
    loading.write("a.csv", "id,item,changed\n1,oar,1\n2,rope,1\n")
    loading.run(MERGED)
    loading.write("b.csv", "id,item,changed\n2,cable,3\n2,line,2\n3,canoe,1\n,nobody,1\n")
    report = loading.run(MERGED)
    assert (report.rows_in, report.rows_written, report.rows_superseded, report.rows_quarantined) == (4, 2, 1, 1)
    assert loading.rows("select id, item from NS.orders order by id") == [(1, "oar"), (2, "cable"), (3, "canoe")]
    assert loading.rows("select reason from NS.orders__rejects") == [("breaks: has its keys (`id` is not null)",)]


def test_merge_without_an_order_keeps_the_last_line(loading: Loading) -> None:
    loading.write("a.csv", "id,item,changed\n1,first,9\n1,last,1\n")
    loading.run(MERGED.replace(", latest_by: changed", ""))
    assert loading.rows("select item from NS.orders") == [("last",)]


def test_overwrite_replaces_only_the_partitions_that_came(loading: Loading) -> None:
    spec = """
        pipeline: daily
        source: {path: "*.csv", format: csv}
        schema: {day: date, amount: int}
        target: {table: NS.daily, mode: overwrite_partitions, partition_by: [day]}
    """
    loading.write("a.csv", "day,amount\n2026-01-01,1\n2026-01-02,2\n")
    loading.run(spec)
    loading.write("b.csv", "day,amount\n2026-01-02,20\n2026-01-02,21\n")
    loading.run(spec)
    assert loading.rows("select cast(day as string), amount from NS.daily order by amount") == [
        ("2026-01-01", 1),
        ("2026-01-02", 20),
        ("2026-01-02", 21),
    ]


def test_partition_transforms_reach_the_table(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n")
    loading.run(
        ORDERS.replace(
            "table: NS.orders", 'table: NS.orders, partition_by: [month(sold_on), "bucket(4, id)", "truncate(2, item)"]'
        )
    )
    with loading.catalog() as client:
        spec = client.load_table(TableName((loading.namespace,), "orders")).metadata["partition-specs"][0]
    assert [(field["name"], field["transform"]) for field in spec["fields"]] == [
        ("sold_on_month", "month"),
        ("id_bucket", "bucket[4]"),
        ("item_truncate", "truncate[2]"),
    ]


def test_columns_are_added_and_types_widened_in_the_same_commit(loading: Loading) -> None:
    first = """
        pipeline: grows
        source: {path: "1*.csv", format: csv}
        schema: {id: int, x: float}
        target: {table: NS.grows}
    """
    loading.write("1.csv", "id,x\n1,0.5\n")
    loading.run(first)
    loading.write("2.csv", "id,x,note\n3000000000,1e300,new\n")
    second = first.replace("1*.csv", "2*.csv").replace("id: int, x: float", "id: bigint, x: double, note: string")
    report = loading.run(second)
    assert (report.columns_added, report.columns_widened) == (["note"], ["id", "x"])
    assert loading.rows("select id, x, note from NS.grows order by id") == [
        (1, 0.5, None),
        (3_000_000_000, 1e300, "new"),
    ]


def test_what_the_table_cannot_take_is_refused_and_changes_nothing(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n")
    loading.run(ORDERS)
    loading.write("b.csv", "id,item,price,sold_on\nx,oar,9.50,2026-01-02\n")
    with pytest.raises(InvalidInput, match="id is bigint and cannot become string"):
        loading.run(ORDERS.replace("id: bigint", "id: string"))
    with pytest.raises(InvalidInput, match="weight int is new"):
        loading.run(
            ORDERS.replace("table: NS.orders", "table: NS.orders, evolution: {add_columns: false}")
            .replace("id: bigint", "weight: int, id: bigint")
            .replace("format: csv", "format: csv, missing_columns: fill")
        )
    assert loading.rows("select count(*) from NS.orders") == [(1,)]


def test_columns_are_matched_by_name_and_derived_ones_computed(loading: Loading) -> None:
    loading.write("a.csv", "id,item,quantity,price\n1,oar,2,10.00\n")
    loading.write("b.csv", "price,quantity,ITEM,id\n3.00,5,rope,2\n")
    loading.run("""
        pipeline: derived
        source: {path: "*.csv", format: csv}
        schema: {id: int, item: string, quantity: int, price: "decimal(8,2)"}
        derive:
          with_tax: amount * 1.2
          amount: quantity * price
          item: upper(item)
        target: {table: NS.derived}
    """)
    rows = loading.rows("select id, item, cast(amount as double), cast(with_tax as double) from NS.derived order by id")
    assert rows == [(1, "OAR", 20.0, 24.0), (2, "ROPE", 15.0, 18.0)]


def test_time_travel_sees_the_table_before_the_second_load(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n")
    first = loading.run(ORDERS).snapshot_id
    loading.write("b.csv", "id,item,price,sold_on\n2,oar,9.50,2026-01-02\n")
    loading.run(ORDERS)
    assert loading.rows("select count(*) from NS.orders") == [(2,)]
    assert loading.rows(f"select count(*) from NS.orders version as of {first}") == [(1,)]


def test_a_bad_row_is_rejected_from_its_own_file_alone(loading: Loading) -> None:
    """Files with other headers are read apart, and their rows are numbered apart too."""
    loading.write("a.csv", "id,item,price,sold_on\nx,oar,9.50,2026-01-02\n2,oar,9.50,2026-01-02\n")
    loading.write("b.csv", "item,id,price,sold_on\nrope,3,9.50,2026-01-02\nrope,y,9.50,2026-01-02\n")
    report = loading.run(ORDERS)
    assert (report.rows_written, report.rows_quarantined) == (2, 2)
    rejected = loading.rows("select file, line from NS.orders__rejects order by file")
    assert [(file.rpartition("/")[2], line) for file, line in rejected] == [("a.csv", 2), ("b.csv", 3)]
    assert sorted(loading.rows("select id from NS.orders")) == [(2,), (3,)]


def test_a_sorted_table_is_loaded_and_counted_once(loading: Loading) -> None:
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n")
    loading.run(ORDERS)
    loading.session.sql(f"alter table lake.{loading.namespace}.orders write ordered by item")
    loading.write(
        "b.csv", "id,item,price,sold_on\n3,rope,9.50,2026-01-02\n2,canoe,9.50,2026-01-02\n4,x,-1,2026-01-02\n"
    )
    report = loading.run(ORDERS)
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (3, 2, 1)
    with loading.catalog() as client:
        properties = client.load_table(TableName((loading.namespace,), "orders")).metadata["properties"]
    assert properties.get("write.distribution-mode") == "range"


def test_a_load_that_was_overtaken_looks_again_for_what_is_new(
    loading: Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another load of the same file is published after this one asked what is new and before it staged."""
    loading.write("a.csv", "id,item,price,sold_on\n1,oar,9.50,2026-01-02\n")
    find, calls = load_module.find_new_files, []

    def find_and_be_overtaken(*arguments: Any) -> NewFiles:
        found = find(*arguments)
        calls.append(len(found.files))
        if len(calls) == 1:
            monkeypatch.setattr(load_module, "find_new_files", find)
            loading.run(ORDERS)
            monkeypatch.setattr(load_module, "find_new_files", find_and_be_overtaken)
        return found

    monkeypatch.setattr(load_module, "find_new_files", find_and_be_overtaken)
    report = loading.run(ORDERS)
    assert (calls, report.files_loaded) == ([1, 0], 0)
    assert loading.rows("select count(*) from NS.orders") == [(1,)]

"""`boathouse table` on the running lakehouse."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lakehouse_under_test import LakehouseUnderTest

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def orders(stack: LakehouseUnderTest) -> Iterator[str]:
    """A partitioned table that rows were added to twice and deleted from once; and one that is still being written."""
    made = stack.cli(
        "sql",
        """
        CREATE NAMESPACE IF NOT EXISTS shop; CREATE NAMESPACE IF NOT EXISTS shop.eu; CREATE NAMESPACE IF NOT EXISTS _staging;
        CREATE TABLE _staging.half (id INT);
        CREATE TABLE shop.eu.items (id INT);
        CREATE VIEW shop.eu.many AS SELECT * FROM shop.eu.items;
        CREATE TABLE shop.orders (id BIGINT NOT NULL COMMENT 'the key', day DATE, tags ARRAY<STRING>)
            PARTITIONED BY (day) TBLPROPERTIES ('team' = 'sales');
        INSERT INTO shop.orders VALUES (1, date '2026-01-01', array('a')), (2, date '2026-01-02', NULL);
        INSERT INTO shop.orders VALUES (3, date '2026-01-03', NULL);
        DELETE FROM shop.orders WHERE day = date '2026-01-01';
        """,
    )
    assert made.returncode == 0, made.stderr
    yield "shop.orders"
    stack.cli(
        "sql", "DROP VIEW shop.eu.many; DROP TABLE shop.orders; DROP TABLE shop.eu.items; DROP TABLE _staging.half"
    )


def told(stack: LakehouseUnderTest, *arguments: str) -> Any:
    done = stack.cli("table", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def listed(stack: LakehouseUnderTest, *arguments: str) -> set[str]:
    return {f"{row['namespace']}.{row['table']}" for row in told(stack, "list", *arguments)}


def test_tables_of_every_namespace_are_listed_but_not_what_is_being_written(
    stack: LakehouseUnderTest, orders: str
) -> None:
    assert {"shop.orders", "shop.eu.items"} <= listed(stack)
    assert "_staging.half" not in listed(stack)


def test_everything_is_listed_on_request(stack: LakehouseUnderTest, orders: str) -> None:
    assert "_staging.half" in listed(stack, "--all")
    assert listed(stack, "_staging") == {"_staging.half"}


def test_a_namespace_is_listed_with_those_below_it(stack: LakehouseUnderTest, orders: str) -> None:
    assert listed(stack, "shop") == {"shop.orders", "shop.eu.items", "shop.eu.many"}
    assert listed(stack, "shop.eu") == {"shop.eu.items", "shop.eu.many"}


def test_views_are_listed_as_what_they_are(stack: LakehouseUnderTest, orders: str) -> None:
    assert told(stack, "list", "shop.eu") == [
        {"namespace": "shop.eu", "table": "items", "kind": "table"},
        {"namespace": "shop.eu", "table": "many", "kind": "view"},
    ]


def test_a_view_is_not_looked_into_as_a_table(stack: LakehouseUnderTest, orders: str) -> None:
    done = stack.cli("table", "show", "shop.eu.many")
    assert done.returncode == 4
    assert "There is no table shop.eu.many." in done.stderr
    assert "It is a view" in done.stderr
    assert "FROM shop.eu.items" in stack.cli("sql", "SHOW CREATE TABLE shop.eu.many").stdout


def test_an_unknown_namespace_is_an_error(stack: LakehouseUnderTest, orders: str) -> None:
    done = stack.cli("table", "list", "shopp")
    assert done.returncode == 4
    assert "There is no namespace shopp." in done.stderr


@pytest.mark.parametrize("name", ["shop.orders", "lake.shop.orders"])
def test_a_table_is_shown_by_either_name(stack: LakehouseUnderTest, orders: str, name: str) -> None:
    shown = told(stack, "show", name)
    assert shown["table"] == "shop.orders"
    assert shown["partitions"] == ["day"]
    assert shown["records"] == 2
    assert shown["data_files"] == 2
    assert shown["snapshots"] == 3
    assert shown["properties"]["team"] == "sales"
    assert shown["columns"][0] == {"id": 1, "name": "id", "type": "long", "required": True, "doc": "the key"}
    assert shown["columns"][2]["type"] == "list<string>"


def test_a_table_is_shown_to_people_too(stack: LakehouseUnderTest, orders: str) -> None:
    shown = stack.cli("table", "show", orders).stdout
    assert all(word in shown for word in ("shop.orders", "the key", "list<string>", "team"))


def test_the_history_tells_what_each_commit_did(stack: LakehouseUnderTest, orders: str) -> None:
    history = told(stack, "history", orders)
    changes = [(each["operation"], each["added_records"], each["deleted_records"], each["current"]) for each in history]
    assert changes == [("delete", 0, 1, True), ("append", 1, 0, False), ("append", 2, 0, False)]
    assert history[0]["parent"] == history[1]["snapshot"]


def test_the_current_snapshot_is_marked(stack: LakehouseUnderTest, orders: str) -> None:
    marked = [line for line in stack.cli("table", "history", orders).stdout.splitlines() if line.startswith("*")]
    assert len(marked) == 1
    assert "branch main" in marked[0]


def test_files_are_listed_with_size_records_and_partition(stack: LakehouseUnderTest, orders: str) -> None:
    files = told(stack, "files", orders)
    assert sorted(file["partition"]["day"] for file in files) == ["2026-01-02", "2026-01-03"]
    assert all(file["records"] == 1 and file["bytes"] > 0 and file["content"] == "data" for file in files)


def test_files_are_summed_up_for_people(stack: LakehouseUnderTest, orders: str) -> None:
    listed = stack.cli("table", "files", orders)
    assert "2 files" in listed.stderr
    assert "day=2026-01-02" in listed.stdout


def test_sizes_are_shown_to_people_in_units(stack: LakehouseUnderTest, orders: str) -> None:
    (line,) = (line for line in stack.cli("table", "show", orders).stdout.splitlines() if line.startswith("size"))
    assert line.split()[-1] in {"bytes", "kB"}


def test_what_a_listing_leaves_out_is_counted(stack: LakehouseUnderTest, orders: str) -> None:
    assert "not shown; --all shows" in stack.cli("table", "list").stderr
    assert "not shown" not in stack.cli("table", "list", "--all").stderr


def test_months_are_shown_as_months(stack: LakehouseUnderTest, orders: str) -> None:
    made = stack.cli(
        "sql",
        "CREATE TABLE shop.monthly (at TIMESTAMP) PARTITIONED BY (month(at));"
        "INSERT INTO shop.monthly VALUES (timestamp '2026-01-02 03:04:05')",
    )
    assert made.returncode == 0, made.stderr
    assert [file["partition"] for file in told(stack, "files", "shop.monthly")] == [{"at_month": "2026-01"}]
    stack.cli("sql", "DROP TABLE shop.monthly")


def test_a_table_without_partitions_or_files_can_be_looked_into(stack: LakehouseUnderTest, orders: str) -> None:
    assert told(stack, "files", "shop.eu.items") == []
    assert told(stack, "history", "shop.eu.items") == []
    assert told(stack, "show", "shop.eu.items")["current_snapshot"] is None


@pytest.mark.parametrize("command", ["show", "history", "files"])
def test_an_unknown_table_is_answered_with_the_closest_one(
    stack: LakehouseUnderTest, orders: str, command: str
) -> None:
    done = stack.cli("table", command, "shop.order")
    assert done.returncode == 4
    assert "There is no table shop.order." in done.stderr
    assert "Did you mean shop.orders?" in done.stderr


def test_a_table_is_named_in_full(stack: LakehouseUnderTest) -> None:
    done = stack.cli("table", "show", "orders")
    assert done.returncode == 3
    assert "namespace.table" in done.stderr

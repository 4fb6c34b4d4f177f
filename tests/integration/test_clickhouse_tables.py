"""What the speed layer builds on: inserts that count once, tables that sum, replace and delete, and views that feed them."""

import threading
from collections.abc import Iterator

import pytest

from tests.integration.clickhouse_process import DATABASE, ClickHouseProcess
from tests.integration.test_clickhouse import NO_PROGRAM
from tests.lakehouse_under_test import eventually

WINDOW = "SETTINGS non_replicated_deduplication_window = 1000"
ROWS = b"".join(b"%d,1\n" % (n % 10) for n in range(1000))


@pytest.fixture(scope="module", params=["embedded", pytest.param("program", marks=NO_PROGRAM)])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseProcess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), request.param) as started:
        yield started


@pytest.mark.parametrize("base", [f"MergeTree ORDER BY k {WINDOW}", "Null"])
def test_an_insert_that_is_repeated_with_its_token_counts_once(server: ClickHouseProcess, base: str) -> None:
    """In the base table and in what views make of it, if every one of the tables has a window."""
    name = base.split(maxsplit=1)[0].lower()
    make(server, f"{name}_base (k Int32, n Int64) ENGINE = {base}")
    make(server, f"{name}_rows (k Int32, n Int64) ENGINE = MergeTree ORDER BY k {WINDOW}")
    make(server, f"{name}_sums (k Int32, n Int64) ENGINE = SummingMergeTree ORDER BY k {WINDOW}")
    make(
        server,
        f"{name}_means (k Int32, n AggregateFunction(sum, Int64)) ENGINE = AggregatingMergeTree ORDER BY k {WINDOW}",
    )
    for target, select in {
        "rows": "k, n",
        "sums": "k, sum(n) AS n",
        "means": "k, sumState(n) AS n",
    }.items():
        group = "" if target == "rows" else "GROUP BY k"
        server.told(
            f"CREATE MATERIALIZED VIEW {name}_to_{target} TO {name}_{target} AS SELECT {select} FROM {name}_base {group}"
        )
    for token in ("one", "one", "two", "one", "two"):
        told = {"insert_deduplication_token": token, "deduplicate_blocks_in_dependent_materialized_views": "1"}
        response = server.ask(f"INSERT INTO {name}_base (k, n) FORMAT CSV", ROWS, **told)
        assert response.status_code == 200, response.text
    assert server.told(f"SELECT sum(n) FROM {name}_rows") == "2000"
    assert server.told(f"SELECT sum(n) FROM {name}_sums") == "2000"
    assert server.told(f"SELECT sumMerge(n) FROM {name}_means") == "2000"
    if base != "Null":
        assert server.told(f"SELECT count() FROM {name}_base") == "2000"


def test_a_large_insert_of_many_blocks_counts_once(server: ClickHouseProcess) -> None:
    make(server, "many_base (k Int32, n Int64) ENGINE = Null")
    make(server, f"many_sums (k Int32, n Int64) ENGINE = SummingMergeTree ORDER BY k {WINDOW}")
    server.told("CREATE MATERIALIZED VIEW many_view TO many_sums AS SELECT k, sum(n) AS n FROM many_base GROUP BY k")
    for _ in range(2):
        told = {"insert_deduplication_token": "large", "deduplicate_blocks_in_dependent_materialized_views": "1"}
        server.ask("INSERT INTO many_base (k, n) FORMAT CSV", ROWS * 3000, **told)
    assert server.told("SELECT sum(n) FROM many_sums") == "3000000"


def test_the_newest_version_of_a_row_replaces_the_others(server: ClickHouseProcess) -> None:
    make(
        server,
        "states (id UInt64, v String, version UInt64, deleted UInt8) ENGINE = ReplacingMergeTree(version, deleted) ORDER BY id",
    )
    for values in (
        "(1, 'a', 1, 0), (2, 'b', 1, 0), (3, 'c', 1, 0)",
        "(1, 'a2', 2, 0), (2, 'b', 2, 1)",
        "(1, 'old', 1, 0)",
    ):
        server.told(f"INSERT INTO states VALUES {values}")
    assert server.told("SELECT id, v FROM states FINAL ORDER BY id") == "1\ta2\n3\tc"


def test_parts_are_merged_in_the_background(server: ClickHouseProcess) -> None:
    make(server, "merging (k UInt64) ENGINE = MergeTree ORDER BY k")
    for number in range(40):
        server.told(f"INSERT INTO merging VALUES ({number})")
    parts = "SELECT count() FROM system.parts WHERE active AND table = 'merging' AND database = currentDatabase()"
    eventually(lambda: int(server.told(parts)) < 20)
    assert server.told("SELECT count() FROM merging") == "40"


def test_a_view_is_refreshed_in_time(server: ClickHouseProcess) -> None:
    make(server, "refreshed_from (k UInt64) ENGINE = MergeTree ORDER BY k")
    server.told(
        "CREATE MATERIALIZED VIEW refreshed REFRESH EVERY 1 SECOND (n UInt64) ENGINE = MergeTree ORDER BY n "
        "AS SELECT count() AS n FROM refreshed_from"
    )
    server.told("INSERT INTO refreshed_from SELECT number FROM numbers(7)")
    eventually(lambda: server.told("SELECT n FROM refreshed") == "7")
    server.told("DROP TABLE refreshed")


def test_rows_are_deleted_and_columns_added(server: ClickHouseProcess) -> None:
    make(server, "altered (k UInt64, v String) ENGINE = MergeTree ORDER BY k")
    server.told("INSERT INTO altered SELECT number, 'x' FROM numbers(10)")
    server.told("DELETE FROM altered WHERE k < 4")
    server.told("ALTER TABLE altered ADD COLUMN w Nullable(Float64), MODIFY COLUMN v LowCardinality(String)")
    server.told("INSERT INTO altered VALUES (100, 'y', 1.5)")
    assert server.told("SELECT count(), sum(w) FROM altered") == "7\t1.5"


def test_its_own_tables(server: ClickHouseProcess) -> None:
    server.told("SELECT 'to be found in the log'")
    server.told("SYSTEM FLUSH LOGS")
    assert int(server.told("SELECT count() FROM system.query_log WHERE query LIKE '%to be found%'")) >= 1
    assert int(server.told("SELECT count() FROM system.settings")) > 500
    assert server.told("SELECT count() FROM system.processes") == "1"
    with server.client() as client:
        assert client.query("SELECT name FROM system.databases WHERE name = currentDatabase()").result_rows == [
            (DATABASE,)
        ]


def test_inserts_at_once_are_all_there(server: ClickHouseProcess) -> None:
    make(server, "at_once (k UInt64) ENGINE = MergeTree ORDER BY k")

    def write(start: int) -> None:
        for number in range(start, start + 20):
            server.told(f"INSERT INTO at_once VALUES ({number})")

    writers = [threading.Thread(target=write, args=(start,)) for start in range(0, 160, 20)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert server.told("SELECT count(), uniqExact(k) FROM at_once") == "160\t160"


def make(server: ClickHouseProcess, table: str) -> None:
    server.told(f"DROP TABLE IF EXISTS {table.split(maxsplit=1)[0]}")
    server.told(f"CREATE TABLE {table}")

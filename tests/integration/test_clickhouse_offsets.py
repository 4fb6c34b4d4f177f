"""How far a stream has come is told by what was noted last, whatever the clocks say."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.pipelines.stream import clickhouse
from boathouse.pipelines.stream.clickhouse import Warehouse
from tests.integration.clickhouse_process import DATABASE, PASSWORD, USER, ClickHouseProcess

HOUR = 60 * 60


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseAccess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), "embedded") as server:
        yield ClickHouseAccess(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database=DATABASE)


def warehouse_of(access: ClickHouseAccess, database: str) -> Warehouse:
    """As a process has it that was just started."""
    warehouse = Warehouse(access, database)
    warehouse.make()
    return warehouse


def noted_by(access: ClickHouseAccess, database: str) -> Any:
    return warehouse_of(access, database).offsets("shop")


def test_what_was_noted_before_the_clock_was_put_back_does_not_count(
    access: ClickHouseAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = warehouse_of(access, "put_back")
    warehouse.note("shop", {"t": {"0": 100}}, {"t": "first"})
    earlier = time.time_ns() - HOUR * 10**9
    monkeypatch.setattr(clickhouse.time, "time_ns", lambda: earlier)
    for place in (200, 300):
        warehouse.note("shop", {"t": {"0": place}}, {"t": "first"})
        assert noted_by(access, "put_back") == ({"t": {"0": place}}, {"t": "first"})
    # A topic that was made anew has fewer, and the process that notes it has noted nothing yet.
    warehouse_of(access, "put_back").note("shop", {"t": {"0": 7}}, {"t": "second"})
    assert noted_by(access, "put_back") == ({"t": {"0": 7}}, {"t": "second"})


def test_what_a_clock_noted_that_was_ahead_does_not_count(access: ClickHouseAccess) -> None:
    """As earlier versions noted it: when, ClickHouse itself said."""
    warehouse = warehouse_of(access, "ahead")
    table = "ahead.__offsets"
    told = f"""'shop', '{{"t":{{"0":100}}}}', now64(6) + {HOUR}"""
    warehouse.command(f"INSERT INTO {table} (pipeline, offsets, at) SELECT {told}")
    assert warehouse.offsets("shop") == ({"t": {"0": 100}}, {})
    for place in (200, 300):
        warehouse.note("shop", {"t": {"0": place}}, {"t": "first"})
    warehouse.note("other", {"t": {"0": 1}}, {})
    warehouse.command(f"OPTIMIZE TABLE {table} FINAL")
    assert noted_by(access, "ahead") == ({"t": {"0": 300}}, {"t": "first"})
    assert warehouse.offsets("other") == ({"t": {"0": 1}}, {})


def test_when_it_was_noted_is_told_where_clocks_are_right(access: ClickHouseAccess) -> None:
    warehouse = warehouse_of(access, "timely")
    warehouse.note("shop", {"t": {"0": 1}}, {})
    told = warehouse._open().query("SELECT abs(now64(6) - at) FROM timely.__offsets").result_rows
    assert told[0][0] < 60

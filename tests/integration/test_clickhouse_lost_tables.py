"""What somebody drops in ClickHouse is known to be gone, and sums follow a column that becomes wider."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import Conflict, InvalidInput
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.stream.speed_tables import SpeedTables
from boathouse.pipelines.stream.sums import Sums
from boathouse.pipelines.types import parse_type
from tests.integration.clickhouse_process import DATABASE, PASSWORD, USER, ClickHouseProcess

DONE = {"boats": {"0": 3, "1": 0}, "masts": {"0": 0}}


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseAccess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), "embedded") as server:
        yield ClickHouseAccess(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database=DATABASE)


class Boats:
    """A table with sums by a column of it, in a database of its own."""

    def __init__(
        self,
        access: ClickHouseAccess,
        database: str,
        size: str = "int",
        *,
        countable: bool = True,
        sums: dict[str, str] | None = None,
    ) -> None:
        kinds = {"id": parse_type("long"), "size": parse_type(size)}
        self.table = SourceTable("public.boats", kinds, ("id",), "f")
        rollup = {"name": "by_size", "table": "public.boats", "by": {"size": "size"}, "sums": sums or {"ids": "id"}}
        spec = SpeedSpec.model_validate({"database": database, "rollups": [rollup]})
        self.database, self.warehouse = database, Warehouse(access, database)
        self.warehouse.make()
        self.sums = Sums(self.warehouse, database, spec.rollups if countable else [], lambda: [self.table])
        self.tables = SpeedTables(self.warehouse, spec, self.sums, beside=False)

    def insert(self, number: int, size: int) -> None:
        self.tables.prepare(self.table)
        row = {"id": pa.array([number], pa.int64()), "size": pa.array([size], pa.int64())}
        own = {"_lsn": pa.array([number], pa.uint64()), "_kafka_at": [datetime(2026, 1, 3, tzinfo=UTC)]}
        self.warehouse.insert("boats", pa.table({**row, **own}), f"boats/{number}")
        self.warehouse.insert("boats__deltas", pa.table({**row, "_sign": pa.array([1], pa.int8())}), f"boats/{number}")

    def by_size(self) -> list[Any]:
        query = f"SELECT size, sum(rows), sum(ids) FROM {self.database}.by_size GROUP BY size ORDER BY size"
        return list(self.warehouse._open().query(query).result_rows)

    def lost(self) -> set[str]:
        mast = SourceTable("public.masts", self.table.columns, ("id",), "f")
        return {*self.tables.lost({"boats": self.table, "masts": mast}, DONE)}


def test_sums_by_a_column_that_became_wider_are_by_the_whole_of_it(access: ClickHouseAccess) -> None:
    narrow = Boats(access, "wider")
    narrow.insert(1, 7)
    wide = Boats(access, "wider", "long")
    wide.insert(2, 2**32 + 7)
    wide.sums.settle(at_once=True)
    wide.insert(3, 2**32 + 7)
    assert wide.by_size() == [(7, 1, 1), (2**32 + 7, 2, 5)]


def test_sums_of_what_cannot_be_counted_anew_are_refused_a_wider_column(access: ClickHouseAccess) -> None:
    Boats(access, "uncountable").insert(1, 7)
    with pytest.raises(Conflict, match="The columns of the rollup by_size have become wider") as refused:
        Boats(access, "uncountable", "long", countable=False).insert(2, 8)
    assert refused.value.hint == "Give it another name: it then counts what comes."


def test_a_rollup_that_clickhouse_does_not_take_is_refused_by_its_name_and_alters_nothing(
    access: ClickHouseAccess,
) -> None:
    boats = Boats(access, "odd")
    boats.insert(1, 7)
    # Nobody can add up texts.
    text = Boats(access, "odd", "string", sums={"sizes": "size"})
    with pytest.raises(
        InvalidInput, match=r"speed\.rollups: sums of by_size is 'size', which ClickHouse does not take: "
    ) as refused:
        text.tables.prepare(text.table)
    assert refused.value.hint == "Its columns are those of public.boats: id, size."
    with pytest.raises(InvalidInput, match=r"sums\.sizes of by_size is 'sizze', which"):
        (unknown := Boats(access, "odd", sums={"sizes": "sizze"})).tables.prepare(unknown.table)
    Boats(access, "odd").insert(2, 7)
    assert boats.by_size() == [(7, 2, 3)]


def test_one_that_was_left_behind_with_another_type_is_made_anew(access: ClickHouseAccess) -> None:
    boats = Boats(access, "behind")
    boats.insert(1, 7)
    boats.warehouse.command("ALTER TABLE behind.boats__deltas MODIFY COLUMN size Nullable(String)")
    Boats(access, "behind").insert(2, 7)
    assert boats.by_size() == [(7, 2, 3)]


def test_a_table_that_somebody_dropped_is_known_to_be_gone_and_its_sums_are_counted_anew(
    access: ClickHouseAccess,
) -> None:
    boats = Boats(access, "gone")
    boats.insert(1, 7)
    assert boats.lost() == set()
    assert boats.warehouse.odd() == set()
    boats.warehouse.command("DROP TABLE gone.boats")
    # Of the other nothing has come.
    assert boats.lost() == {"boats"}
    boats.tables.forget()
    boats.tables.make([boats.table])
    assert boats.lost() == set()
    boats.insert(2, 8)
    boats.sums.settle(at_once=True)
    assert boats.by_size() == [(8, 1, 2)]


def test_sums_that_would_count_twice_what_is_read_again_are_not_filled(access: ClickHouseAccess) -> None:
    Boats(access, "twice").insert(1, 7)
    boats = Boats(access, "twice", countable=False)
    boats.warehouse.command("DROP TABLE twice.boats")
    with pytest.raises(Conflict, match="its sums are not") as refused:
        boats.lost()
    assert refused.value.hint == "Drop by_size in twice too. They begin with what Kafka still has."
    boats.warehouse.command("DROP TABLE twice.by_size")
    assert boats.lost() == {"boats"}

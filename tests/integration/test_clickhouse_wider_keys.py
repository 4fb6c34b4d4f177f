"""A table whose key has become wider is made anew in ClickHouse, and nothing that is written meanwhile is lost."""

from collections.abc import Iterator, Sequence
from typing import Any

import clickhouse_connect
import pytest
from pydantic import SecretStr

from boathouse.kit.access import ClickHouseAccess
from boathouse.kit.errors import Conflict
from boathouse.pipelines.stream import clickhouse
from boathouse.pipelines.stream.clickhouse import Warehouse
from boathouse.pipelines.stream.clickhouse_tables import rebuild
from boathouse.pipelines.stream.followed import Followed
from boathouse.pipelines.stream.judging import ChangesJudge
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Speed as SpeedSpec
from boathouse.pipelines.types import parse_type
from tests.integration.clickhouse_process import DATABASE, PASSWORD, USER, ClickHouseProcess
from tests.integration.test_clickhouse_sums import Change, Judged

SPEC = SpeedSpec(database="widened")
NOBODY: Any = None


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseAccess]:
    with ClickHouseProcess(tmp_path_factory.mktemp("clickhouse"), "embedded") as server:
        yield ClickHouseAccess(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database=DATABASE)


def table_of(name: str, key: str) -> SourceTable:
    kinds = {"id": parse_type(key), "place": parse_type("string"), "kwh": parse_type("long")}
    return SourceTable(f"public.{name}", kinds, ("id",), "f")


def speed_of(access: ClickHouseAccess, name: str, key: str, kind: type[Judged] = Judged, **options: Any) -> Judged:
    tables = {"t": table_of(name, key)}
    judge = ChangesJudge(Followed(tables, lambda: tables))
    return kind(NOBODY, judge, Meter(), SPEC, Warehouse(access, SPEC.database), **options)


def made_anew(speed: Judged) -> None:
    speed.tables.make(speed._followed().values())


def changes(*ids: int) -> Any:
    return [Change(one, one, None, {"id": one, "place": "here", "kwh": 1}) for one in ids]


def ids_in(speed: Judged, name: str) -> list[int]:
    query = f"SELECT id FROM widened.{name} FINAL ORDER BY id"
    return [row[0] for row in speed.warehouse._open().query(query).result_rows]


def key_in(speed: Judged, name: str) -> str:
    return speed.warehouse.columns(name)["id"]


def test_a_replay_leaves_it_to_the_stream_which_does_it_when_it_is_started(access: ClickHouseAccess) -> None:
    stream = speed_of(access, "left", "int")
    stream.insert(changes(1), "left/1")
    replay = speed_of(access, "left", "long", beside=True)
    with pytest.raises(Conflict, match="has to be made anew"):
        replay.insert_late(changes(2), "left/replay")
    assert key_in(stream, "left") == "Int32"
    stream.insert(changes(3), "left/3")
    made_anew(speed_of(access, "left", "long"))
    replay.insert_late(changes(2), "left/replay")
    assert (key_in(stream, "left"), ids_in(stream, "left")) == ("Int64", [1, 2, 3])


def test_a_table_that_does_not_know_its_order_is_made_anew_with_its_rows(access: ClickHouseAccess) -> None:
    stream = speed_of(access, "older", "long")
    stream.insert(changes(1), "older/1")
    columns = (
        "id Int64, place Nullable(String), kwh Nullable(Int64), _lsn UInt64, _deleted UInt8, "
        "_source_at Nullable(DateTime64(3, 'UTC')), _kafka_at DateTime64(3, 'UTC'), "
        "_written_at DateTime64(3, 'UTC') DEFAULT now64(3)"
    )
    stream.warehouse.commands(
        [
            f"CREATE TABLE widened.as_it_was ({columns}) ENGINE = ReplacingMergeTree(_lsn, _deleted) ORDER BY id",
            "INSERT INTO widened.as_it_was SELECT * EXCEPT (_place) FROM widened.older",
            "EXCHANGE TABLES widened.as_it_was AND widened.older",
        ]
    )
    again = speed_of(access, "older", "long")
    made_anew(again)
    later: Any = [Change(2, 2, None, {"id": 2, "place": "here", "kwh": 1}, place=9)]
    again.insert(later, "older/2")
    asked = again.warehouse._open().query("SELECT id, _lsn, _place FROM widened.older FINAL ORDER BY id")
    assert list(asked.result_rows) == [(1, 1, 1), (2, 2, 9)]


class Overtaken(Judged):
    """By a stream that makes the table anew, in these steps before and after it inserts."""

    before: Sequence[str] = ()
    after: Sequence[str] = ()

    def _insert(self, *given: Any, **options: Any) -> None:
        self.warehouse.commands(self.before)
        super()._insert(*given, **options)
        self.warehouse.commands(self.after)
        self.before = self.after = ()


@pytest.mark.parametrize("steps", [3, 5], ids=["being made anew", "made anew"])
@pytest.mark.parametrize("late", [True, False], ids=["together", "one by one"])
def test_what_a_replay_inserts_while_the_stream_makes_the_table_anew_does_not_count_as_inserted(
    access: ClickHouseAccess, steps: int, *, late: bool
) -> None:
    name = f"overtaken_{steps}_{late}"
    stream = speed_of(access, name, "int")
    stream.insert(changes(1), f"{name}/1")
    anew = list(rebuild("widened", table_of(name, "long"), stream.warehouse.columns(name)))
    copied, rest = anew[:3], anew[3:]
    # It was begun before the key became wider, so it sees nothing wrong with the table.
    replay = speed_of(access, name, "int", Overtaken, beside=True)
    assert isinstance(replay, Overtaken)
    replay.before, replay.after = copied, anew[3:steps]
    insert = replay.insert_late if late else replay.insert
    with pytest.raises(Conflict, match="has to be made anew"):
        insert(changes(2), f"{name}/replay")
    stream.warehouse.commands(rest if steps == 3 else [])
    assert ids_in(stream, name) == [1]
    again = speed_of(access, name, "long", beside=True)
    (again.insert_late if late else again.insert)(changes(2), f"{name}/replay")
    assert (key_in(stream, name), ids_in(stream, name)) == ("Int64", [1, 2])


def test_what_a_crash_left_of_it_keeps_no_replay_out_once_the_stream_was_started(access: ClickHouseAccess) -> None:
    stream = speed_of(access, "crashed", "int")
    stream.insert(changes(1), "crashed/1")
    anew = list(rebuild("widened", table_of("crashed", "long"), stream.warehouse.columns("crashed")))
    stream.warehouse.commands(anew[:-1])
    replay = speed_of(access, "crashed", "long", beside=True)
    with pytest.raises(Conflict, match="has to be made anew"):
        replay.insert_late(changes(2), "crashed/replay")
    made_anew(speed_of(access, "crashed", "long"))
    replay.insert_late(changes(2), "crashed/replay")
    assert ids_in(stream, "crashed") == [1, 2]


def test_a_statement_may_take_longer_than_an_answer(access: ClickHouseAccess, monkeypatch: pytest.MonkeyPatch) -> None:
    get_client: Any = clickhouse_connect.get_client

    def hasty(**options: Any) -> Any:
        return get_client(**{"send_receive_timeout": 1, **options})

    monkeypatch.setattr(clickhouse.clickhouse_connect, "get_client", hasty)
    warehouse = Warehouse(access, SPEC.database)
    warehouse.make()
    warehouse.commands(
        [
            "CREATE TABLE widened.slow (n UInt64) ENGINE = MergeTree ORDER BY n",
            "INSERT INTO widened.slow SELECT sleepEachRow(1) FROM numbers(3)",
        ]
    )
    assert not warehouse.is_empty("slow")
    warehouse.close()

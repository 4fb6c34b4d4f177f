"""Rejected rows mended and replayed on real Spark: each goes into its table once, or stays open with the reason."""

from textwrap import dedent

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boathouse.kit.deadletters.book import Place, Wanted
from boathouse.kit.deadletters.desk import Desk
from boathouse.kit.deadletters.ledger import Action, RejectState
from boathouse.kit.errors import InvalidInput, NotFound
from boathouse.pipelines.ingest.report import Report
from boathouse.pipelines.replay.replay import Replay
from boathouse.pipelines.spec import PipelineSpec, parse_spec
from tests.loading import Loading

pytestmark = pytest.mark.stack

SPEC = """
pipeline: orders
source: {path: "*.csv", format: csv, csv: {delimiter: ";"}, missing_columns: fill}
schema: {id: bigint, shop: string, quantity: int, price: "decimal(10,2)"}
derive: {amount: quantity * price}
expectations:
  - check: quantity > 0
  - {check: shop <> 'test', otherwise: drop}
target: {table: NS.orders}
"""
ROWS = """\
id;shop;quantity;price
1;north;2;9.50
2;north;two;1.00
3;south;-4;2.00
4;"a;b";x;3.00
"""


class Dead:
    """The rejects of a test's table."""

    def __init__(self, loading: Loading, spec: str, table: str = "orders") -> None:
        self.loading = loading
        self.text = spec
        self.desk = Desk(self.spec().target.table, loading.access.catalog, loading.access.object_store)
        assert self.desk.table.name == table

    def spec(self, text: str | None = None) -> PipelineSpec:
        return parse_spec(dedent(text or self.text).replace("NS.", f"{self.loading.namespace}."), "spec.yaml")

    def open(self) -> list[Place]:
        return self.desk.book().find(Wanted(state=RejectState.OPEN))

    def at(self, line: int) -> str:
        return next(place.id for place in self.desk.book().find(Wanted()) if place.line == line)

    def mend(self, line: int, text: str) -> str:
        self.desk.decide([self.at(line)], Action.MENDED, by="ada", raw=text)
        return self.at(line)

    def replay(self, *ids: str, spec: str | None = None, reason: str | None = None) -> Report:
        wanted = Wanted(ids=frozenset(ids) if ids else None, reason=reason)
        loading = self.loading
        return Replay(self.spec(spec), loading.session, loading.access, lambda _: None, wanted=wanted, by="ada").run()


@pytest.fixture
def orders(loading: Loading) -> Dead:
    loading.write("day.csv", ROWS)
    report = loading.run(SPEC)
    assert (report.rows_written, report.rows_quarantined) == (1, 3)
    return Dead(loading, SPEC)


def test_a_mended_row_goes_into_the_table_once_with_all_that_the_spec_says(orders: Dead) -> None:
    (orders.loading.folder / "day.csv").unlink()  # whoever sent it has taken it away
    mended = orders.mend(3, "2;north;2;1.00")
    report = orders.replay(mended)
    assert (report.kind, report.rows_in, report.rows_written, report.rows_quarantined) == ("replay", 1, 1, 0)
    rows = orders.loading.rows("select id, shop, quantity, cast(amount as string) from NS.orders order by id")
    assert rows == [(1, "north", 2, "19.00"), (2, "north", 2, "2.00")]
    again = orders.replay(mended)
    assert (again.rows_in, again.load_id) == (0, None)
    assert [place.line for place in orders.open()] == [4, 5]
    told = orders.loading.rows("select action, raw, by, load_id from NS.orders__mends order by at")
    assert told == [("mended", "2;north;2;1.00", "ada", None), ("replayed", "2;north;2;1.00", "ada", report.load_id)]


def test_a_row_that_fails_again_stays_open_with_its_new_reason_and_one_that_is_dropped_is_told(orders: Dead) -> None:
    still = orders.mend(3, "2;north;0;1.00")
    dropped = orders.mend(4, "3;test;4;2.00")
    report = orders.replay(still, dropped)
    assert (report.rows_in, report.rows_written, report.rows_quarantined, report.rows_dropped) == (2, 0, 1, 1)
    places = {place.id: place for place in orders.desk.book().find(Wanted())}
    assert (places[still].fate.state, places[still].reason) == (RejectState.OPEN, "breaks: quantity > 0")
    assert places[dropped].fate.state is RejectState.REPLAYED
    assert places[dropped].fate.note == "dropped: breaks: shop <> 'test'"


def test_rows_are_replayed_as_they_stood_once_the_spec_lets_them_pass(orders: Dead) -> None:
    kinder = SPEC.replace("quantity > 0", "quantity <> 0")
    report = orders.replay(spec=kinder, reason="breaks: quantity > 0")
    assert (report.rows_in, report.rows_written) == (1, 1)
    assert orders.loading.rows("select id, quantity from NS.orders order by id") == [(1, 2), (3, -4)]
    assert [place.reason for place in orders.open()] == ["quantity is not int: two", "quantity is not int: x"]


def test_all_at_once_and_what_would_stop_a_load_stops_nothing(orders: Dead) -> None:
    orders.mend(5, '4;"a;b";7;3.00')
    stricter = SPEC.replace("- check: quantity > 0", "- {check: quantity > 0, otherwise: fail}")
    report = orders.replay(spec=stricter.replace("\npipeline", "\nmalformed: fail\npipeline"))
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (3, 1, 2)
    assert orders.loading.rows("select id, shop from NS.orders where id = 4") == [(4, "a;b")]


def test_discarded_rows_are_not_replayed_until_somebody_takes_it_back(orders: Dead) -> None:
    gone = orders.mend(3, "2;north;2;1.00")
    orders.desk.decide([gone], Action.DISCARDED, by="ada", note="a test")
    assert orders.replay(gone).rows_in == 0
    with pytest.raises(InvalidInput, match="is discarded"):
        orders.mend(3, "2;north;3;1.00")
    orders.desk.decide([gone], Action.REOPENED, by="ada")
    assert orders.replay(gone).rows_written == 1
    with pytest.raises(InvalidInput, match="is replayed"):
        orders.desk.decide([gone], Action.DISCARDED, by="ada")
    with pytest.raises(NotFound, match="no rejected row"):
        orders.replay("0" * 32)


def test_a_merge_keeps_what_is_newer_in_the_table(loading: Loading) -> None:
    spec = """
    pipeline: prices
    source: {path: "*.csv", format: csv}
    schema: {id: bigint, price: int, seen: date}
    target: {table: NS.orders, mode: merge, keys: [id], latest_by: seen}
    """
    loading.write("a.csv", "id,price,seen\n1,x,2026-01-01\n2,y,2026-01-03\n2,z,2026-01-02\n")
    loading.run(spec)
    loading.write("b.csv", "id,price,seen\n1,10,2026-01-05\n")
    loading.run(spec)
    dead = Dead(loading, spec)
    for line, text in ((2, "1,9,2026-01-01"), (3, "2,20,2026-01-03"), (4, "2,19,2026-01-02")):
        dead.mend(line, text)
    report = dead.replay()
    assert (report.rows_written, report.rows_outdated, report.rows_superseded) == (1, 1, 1)
    assert loading.rows("select id, price from NS.orders order by id") == [(1, 10), (2, 20)]
    assert dead.open() == []


def test_only_the_row_is_added_where_a_file_would_replace_its_partition(loading: Loading) -> None:
    spec = """
    pipeline: days
    source: {path: "*.csv", format: csv}
    schema: {day: date, value: int}
    target: {table: NS.orders, mode: overwrite_partitions, partition_by: day}
    """
    loading.write("a.csv", "day,value\n2026-01-01,1\n2026-01-01,x\n")
    loading.run(spec)
    dead = Dead(loading, spec)
    dead.mend(3, "2026-01-01,2")
    assert dead.replay().rows_written == 1
    assert loading.rows("select value from NS.orders order by value") == [(1,), (2,)]


def test_json_text_and_parquet_are_replayed_too(loading: Loading) -> None:
    spec = """
    pipeline: {0}
    source: {{path: "a.{0}", format: {0}}}
    {1}
    target: {{table: NS.{0}s}}
    """
    json = spec.format("json", "schema: {id: bigint, tags: array<string>, at: timestamp}")
    loading.write("a.json", '{"id": 1, "tags": [], "at": "2026-01-01 10:00:00"}\n{"id": "x", "tags": ["a"]}\n')
    loading.run(json)
    dead = Dead(loading, json, "jsons")
    dead.mend(2, '{"id": 2,\n "tags": ["a", "b"], "at": "2026-01-02T00:00:00Z"}')
    assert dead.replay().rows_written == 1
    assert loading.rows("select id, tags from NS.jsons order by id") == [(1, []), (2, ["a", "b"])]

    text = spec.format("text", "expectations: [{check: line <> ''}]")
    loading.write("a.text", b"one\n\ntw\xffo\n")
    loading.run(text)
    dead = Dead(loading, text, "texts")
    assert dead.replay().rows_quarantined == 2  # as they stood, they are no better
    dead.mend(3, "two")
    assert dead.replay(dead.at(3)).rows_written == 1
    assert loading.rows("select line, file like 'file:///%a.text' from NS.texts order by line") == [
        ("one", True),
        ("two", True),
    ]

    parquet = spec.format("parquet", "schema: {id: bigint, price: double}\nexpectations: [{check: price > 0}]").replace(
        "expectations", "    expectations"
    )
    columns = {"id": pa.array(["1", "2", "x"]), "price": pa.array([1.5, -2.5, 3.5])}
    pq.write_table(pa.table(columns), loading.folder / "a.parquet")
    loading.run(parquet)
    dead = Dead(loading, parquet, "parquets")
    assert dead.replay(spec=parquet.replace("price > 0", "price <> 0")).rows_written == 1
    dead.mend(3, '{"id": 3, "price": 3.5}')
    assert dead.replay().rows_written == 1
    assert loading.rows("select id, price from NS.parquets order by id") == [(1, 1.5), (2, -2.5), (3, 3.5)]


def test_what_was_inferred_from_the_files_is_taken_from_the_table(loading: Loading) -> None:
    spec = """
    pipeline: inferred
    source: {path: "a.csv", format: csv}
    derive: {twice: value * 2, name: upper(name)}
    expectations: [{check: value > 0}]
    target: {table: NS.orders}
    """
    loading.write("a.csv", "name,value\na,1\nb,-1\n")
    loading.run(spec)
    dead = Dead(loading, spec)
    dead.mend(3, "b,5")
    assert dead.replay().rows_written == 1
    assert loading.rows("select name, value, twice from NS.orders order by value") == [("A", 1, 2), ("B", 5, 10)]


def test_many_rows_go_by_rounds_and_none_twice(loading: Loading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boathouse.pipelines.replay.mailbag.MOST_LETTERS", 40)
    rows = [f"{number};s;-1;1.00" for number in range(100)]
    loading.write("many.csv", "\n".join(["id;shop;quantity;price", *rows, ""]))
    loading.run(SPEC)
    dead = Dead(loading, SPEC)
    report = dead.replay(spec=SPEC.replace("quantity > 0", "id % 10 <> 3"))
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (100, 90, 10)
    assert loading.rows("select count(*), count(distinct id) from NS.orders") == [(90, 90)]
    assert len(dead.open()) == 10
    assert dead.desk.standing() == (100, 10)

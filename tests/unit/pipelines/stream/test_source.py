"""What keeps a stream's connectors as they should be, whatever is away for a moment."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Self

import pytest
from pydantic import SecretStr

from boathouse.kit.access import ConnectAccess, PostgresAccess
from boathouse.kit.catalog_client import Json, LoadedTable, TableName
from boathouse.kit.errors import Unavailable
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream import source
from boathouse.pipelines.stream.debezium import Connector, Following, slot_name
from boathouse.pipelines.stream.offsets import PROPERTY, Offsets
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.source import Source
from boathouse.pipelines.stream.spec import StreamSpec

SPEC = "pipeline: shop\nsource: {kind: postgres, tables: [public.a, public.b]}\nbronze: {table: shop.log}"
TOPIC_A, TOPIC_B = "shop.public.a", "shop.public.b"
POSTGRES = PostgresAccess(host="h", port=1, database="d", user="u", password=SecretStr("p"))


class World:
    """Kafka Connect, Kafka and Postgres, as far as a source asks them."""

    def __init__(self) -> None:
        self.there: dict[str, Following] = {}
        self.refusals: list[Exception] = []
        """Of connectors that are to be made."""
        self.read_twice: set[str] = set()
        """Topics in which two readings are."""
        self.removed: list[str] = []
        self.generated: dict[str, tuple[str, ...]] = {}
        self.configs: dict[str, Mapping[str, str]] = {}
        self.lake: dict[TableName, Json] = {}
        self.clickhouse: set[str] | None = set()
        """Its tables; None if it is away."""
        self.emptied: list[str] = []
        self.slots: set[str] = set()

    # Of Connectors

    def following(self, _: str) -> dict[str, Following]:
        return dict(self.there)

    def put(self, name: str, config: Mapping[str, str]) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.configs[name] = config
        tables = config["table.include.list"].split(",")
        self.there[name] = Following(tables, 1, {f"shop.{table}": {"0": 0} for table in tables})
        self.slots.add(config["slot.name"])

    def remove(self, name: str, give_back: Callable[[], None]) -> None:
        give_back()
        del self.there[name]
        self.removed.append(name)
        self.read_twice.clear()

    def status(self, name: str) -> Connector:
        return Connector("RUNNING" if name in self.there else "UNASSIGNED")

    def close(self) -> None:
        """Nothing is open."""

    def the_only(self) -> str:
        (name,) = self.there
        return name

    # Of Postgres

    def slots_of(self, _: Any, first: str) -> list[str]:
        return sorted(slot for slot in self.slots if slot == first or slot.startswith(f"{first}__"))

    def forget(self, _: Any, slot: str) -> None:
        self.slots.discard(slot)

    def ask(self, _: Any, names: list[str]) -> dict[str, SourceTable]:
        return {name: SourceTable(name, {}, ("id",), "d", generated=self.generated.get(name, ())) for name in names}


class KnownTopics:
    def __init__(self, _: Any, names: list[str]) -> None:
        self.names = names

    def ends(self) -> Offsets:
        return {name: {"0": 0} for name in self.names}

    beginnings = ends


class Catalog:
    def __init__(self, tables: Mapping[TableName, Json]) -> None:
        self._tables = tables

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def find_table(self, table: TableName) -> LoadedTable | None:
        found = self._tables.get(table)
        return None if found is None else LoadedTable(found, None)


class ClickHouse:
    def __init__(self, tables: set[str] | None) -> None:
        self._tables = tables

    def has_table(self, name: str) -> bool:
        if self._tables is None:
            raise Unavailable("ClickHouse does not answer.")
        return name in self._tables

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    world = World()

    class Rows:
        def __init__(self, *_: Any) -> None: ...

        def were_read_twice(self, _beginnings: Offsets, ends: Offsets) -> bool:
            return bool(world.read_twice & ends.keys())

    def connected(_: Any) -> World:
        return world

    def nothing(*_: Any) -> None:
        """Nobody is asked."""

    def log_end(_: Any) -> int:
        return 7

    monkeypatch.setattr(source, "Connectors", connected)

    class NotedTopics(KnownTopics):
        def put(self, events: Mapping[str, bytes]) -> None:
            world.emptied += [topic for topic, event in events.items() if b'"op": "t"' in event]

    def catalog(_: Any) -> Catalog:
        return Catalog(world.lake)

    def clickhouse(*_: Any) -> ClickHouse:
        return ClickHouse(world.clickhouse)

    monkeypatch.setattr(source, "CatalogClient", catalog)
    monkeypatch.setattr(source, "Warehouse", clickhouse)
    monkeypatch.setattr(source, "Topics", NotedTopics)
    monkeypatch.setattr(source, "FirstRows", Rows)
    monkeypatch.setattr(source, "_LOOK_EVERY", 0.0)
    answers = {"ask": world.ask, "log_end": log_end, "log_place": nothing, "forget": world.forget}
    answers |= {"slots": world.slots_of}
    for name, answer in answers.items():
        monkeypatch.setattr(source.postgres, name, answer)
    return world


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def followed(world: World, said: list[str]) -> Source:
    return _source(SPEC, said)


def _source(text: str, said: list[str]) -> Source:
    spec = parse_any(text, "shop")
    assert isinstance(spec, StreamSpec)

    class Access:
        postgres = POSTGRES
        catalog = None
        clickhouse = "there"
        connect = ConnectAccess(uri="u", user="u", password=SecretStr("p"), postgres_password="looked up")

    class Context:
        access = Access()
        kafka = None

        def say(self, line: str) -> None:
            said.append(line)

    context: Any = Context()
    context.spec = spec
    return Source(context)


def _nobody(_: Mapping[str, int]) -> None:
    """Nobody is told."""


def test_a_new_beginning_that_is_cut_off_is_gone_on_with(world: World, followed: Source) -> None:
    followed.follow(_nobody)
    first = world.the_only()
    world.read_twice.add(TOPIC_A)
    world.refusals = [Unavailable("Kafka Connect refused: rebalancing")] * 2
    told = followed.told({TOPIC_A: {"0": 1}})
    # By now the old connector is gone, and there is no other.
    assert (told["state"], told["error"]) == ("failing", "Kafka Connect refused: rebalancing")
    assert (world.removed, world.there) == ([first], {})
    assert followed.told({TOPIC_A: {"0": 1}})["state"] == "failing"
    followed.told({TOPIC_A: {"0": 1}})
    assert world.the_only() != first
    assert followed.told({TOPIC_A: {"0": 1}})["state"] == "running"


def test_a_connector_that_somebody_deletes_is_followed_by_another_that_begins_anew(
    world: World, followed: Source, said: list[str]
) -> None:
    others = {"boathouse_shop_2", "boathouse_shops"}
    world.slots |= others
    followed.follow(_nobody)
    first = world.the_only()
    del world.there[first]
    world.lake[LOG] = _log({TOPIC_A: {"0": 3}, TOPIC_B: {"0": 0}})
    followed.told({})
    assert world.the_only() != first
    assert world.emptied == [TOPIC_A]
    # Postgres keeps its log for nobody.
    assert world.slots == {slot_name(world.the_only()), *others}
    assert f"somebody has deleted {first} in Kafka Connect: another one begins anew" in said
    assert followed.told({})["state"] == "running"
    assert len(world.emptied) == 1


def test_a_table_that_another_connector_has_by_now_says_nothing_of_this_one(world: World, followed: Source) -> None:
    both = {TOPIC_A: {"0": 0}, TOPIC_B: {"0": 0}}
    # It followed both once; what is twice in the topic of the other are the rows of one that came later.
    world.there = {"shop": Following(["public.b"], 1, both), "shop-1": Following(["public.a"], 2, {TOPIC_A: {"0": 9}})}
    world.read_twice = {TOPIC_A}
    known = {"shop": world.there["shop"]}
    assert followed._with_rows_read_once(known, POSTGRES) == known
    assert world.removed == []


def test_what_was_there_before_kafka_could_be_asked_has_not_just_come(followed: Source) -> None:
    assert followed.told({})["events"] == 0
    assert followed.told({TOPIC_A: {"0": 1_000_000}})["events"] == 0
    assert followed.told({TOPIC_A: {"0": 1_000_005}})["events"] == 5


def test_what_postgres_computes_is_left_out_of_the_first_rows_too(
    world: World, followed: Source, said: list[str]
) -> None:
    world.generated = {"public.b": ("total",)}
    followed.follow(_nobody)
    assert world.configs[world.the_only()]["column.exclude.list"] == r"public\.b\.total"
    assert "public.b: total is left out: Postgres computes it, and tells it with no change" in said


WRITTEN = f"{SPEC}\nsilver: {{namespace: shop}}\nspeed: {{database: shop}}"
LOG = TableName(("shop",), "log")


def _log(said: Offsets | None) -> Json:
    summary = {} if said is None else {PROPERTY: json.dumps(said)}
    return {"current-snapshot-id": 1, "snapshots": [{"snapshot-id": 1, "summary": summary}]}


def test_a_table_that_was_never_followed_is_not_emptied(world: World, said: list[str]) -> None:
    # Of another table, and of one of which nothing had come.
    world.lake[LOG] = _log({"shop.public.z": {"0": 5}, TOPIC_A: {"0": 0}})
    _source(WRITTEN, said).follow(_nobody)
    assert world.emptied == []


@pytest.mark.parametrize(
    ("lake", "clickhouse"),
    [
        ({LOG: _log({TOPIC_A: {"0": 0, "1": 3}, TOPIC_B: {"0": 0}})}, set[str]()),
        ({TableName(("shop",), "a"): {}}, set[str]()),
        ({}, {"a"}),
    ],
    ids=["log", "silver", "speed"],
)
def test_what_is_written_is_emptied_though_its_topic_is_new(
    world: World, said: list[str], lake: dict[TableName, Json], clickhouse: set[str]
) -> None:
    # Somebody has deleted the topics, or Kafka was lost, and with it the connectors.
    world.lake, world.clickhouse = lake, clickhouse
    _source(WRITTEN, said).follow(_nobody)
    assert world.emptied == [TOPIC_A]
    assert "the rows of public.a are read anew, and what was there before is emptied" in said


@pytest.mark.parametrize(("lake", "clickhouse"), [({LOG: _log(None)}, set[str]()), ({}, None)], ids=["log", "speed"])
def test_where_nobody_can_tell_whether_there_are_rows_they_are_emptied(
    world: World, said: list[str], lake: dict[TableName, Json], clickhouse: set[str] | None
) -> None:
    world.lake, world.clickhouse = lake, clickhouse
    _source(WRITTEN, said).follow(_nobody)
    assert world.emptied == [TOPIC_A, TOPIC_B]

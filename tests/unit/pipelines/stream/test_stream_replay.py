"""Which rejected events are replayed together, and how ClickHouse is given them."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest
from tenacity import wait_none

from boathouse.kit.catalog_client import TableName
from boathouse.kit.deadletters.book import INDEX, Book, Place, Wanted
from boathouse.kit.deadletters.ledger import Action
from boathouse.kit.deadletters.texts import Text
from boathouse.kit.errors import Conflict, Unavailable
from boathouse.pipelines.ingest.staging import StagedTable
from boathouse.pipelines.specs import parse_any
from boathouse.pipelines.stream import clickhouse, replay, speed
from boathouse.pipelines.stream.clickhouse_tables import REMEMBERED
from boathouse.pipelines.stream.letters import Letter
from boathouse.pipelines.stream.spec import StreamSpec

SPEC = """
pipeline: p
source: {kind: kafka, topics: [t], format: json}
schema: {id: long}
bronze: {table: log.events}
speed: {database: d}
"""
SUMMED = SPEC.replace("{database: d}", "{database: d, rollups: [{name: by_id, by: {id: id}}]}")
KEYED = f"{SUMMED}keys: [id]\n"
AT = datetime(2026, 1, 3, tzinfo=UTC)
GOOD, BAD = "good", "bad"


class World:
    """What is rejected, and whatever a replay does about it: a Spark, a lake and a ClickHouse that only note it."""

    def __init__(self) -> None:
        self.rejected: list[tuple[int, str]] = []
        """The offset of each, the newest first, and its text."""
        self.conflicts = 0
        self.rounds: list[list[str]] = []
        """What each put into the log."""
        self.entries: list[dict[str, Any]] = []
        self.inserts: list[tuple[str, list[str]]] = []
        self.late: list[tuple[str, list[str]]] = []
        self.fails_after: int | None = None
        self.open = 0
        self.complete = True
        self.asked_for: list[frozenset[str]] = []

    def book(self, mends: Any = None, *, ids: Collection[str] = ()) -> Book:
        self.asked_for.append(frozenset(ids))
        rows = [
            {
                "id": f"{number}",
                "load_id": "batch-1",
                "file": "kafka://t/0",
                "line": offset,
                "rejected_at": AT - timedelta(seconds=number),
                "row": number,
            }
            for number, (offset, _) in enumerate(self.rejected)
        ]
        index = pa.Table.from_pylist(rows, schema=INDEX)
        return Book(index, {}, complete=self.complete, all_open=self.complete)

    def texts(self, places: Sequence[Place], *, room: int | None = None) -> dict[str, Text]:
        """The first of them, in which there is room for."""
        assert room is not None
        found: dict[str, Text] = {}
        for place in places:
            text = Text(self.rejected[place.row][1], None)
            room -= text.size
            if room < 0 and found:
                break
            found[place.id] = text
        return found

    def create(self, rows: Any) -> Any:
        """A table of what became of each."""
        self.entries += rows.to_pylist()
        return Mock()

    def publish(self) -> dict[TableName, Any]:
        if self.conflicts:
            self.conflicts -= 1
            raise Conflict("The stream was first.")
        return {}


class Warehouse:
    def __init__(self, world: World, *_: Any) -> None:
        self._world = world
        world.open += 1

    def close(self) -> None:
        self._world.open -= 1


class Speed:
    def __init__(self, world: World) -> None:
        self._world = world

    def insert(self, messages: list[Letter], token: str) -> None:
        if len(self._world.inserts) == self._world.fails_after:
            raise Unavailable("ClickHouse is away.")
        self._world.inserts.append((token, _texts(messages)))

    def insert_late(self, messages: list[Letter], token: str) -> None:
        self._world.late.append((token, _texts(messages)))


def _texts(letters: list[Letter]) -> list[str]:
    return [(letter.raw or b"").decode() for letter in letters]


class Replaying(replay.StreamReplay):
    """Good is what says so."""

    world: World

    def _messages(self, letters: Sequence[Letter]) -> Any:
        return list(letters)

    def _to_log(self, letters: Sequence[Letter], staging: Any) -> None:
        self.world.rounds.append(_texts(list(letters)))


class Judge:
    """As Spark judges: in whatever order, the newest last here."""

    def known(self) -> None:
        return None

    def learn(self, judged: Any, known: Any) -> bool:
        return False

    def judge(self, messages: list[Letter]) -> Any:
        told = [
            {
                "topic": "t",
                "partition": 0,
                "offset": letter.place.line,
                "problem": None if text.startswith(GOOD) else text,
            }
            for letter, text in zip(messages, _texts(messages), strict=True)
        ]
        return Mock(select=Mock(return_value=Mock(collect=Mock(return_value=told[::-1]))))


Replay = Callable[[World, str], replay.StreamReplay]


@pytest.fixture
def replaying(monkeypatch: pytest.MonkeyPatch) -> Replay:
    def made(world: World, text: str) -> replay.StreamReplay:
        mends = TableName(("log",), "events__mends")
        copied = StagedTable(mends, mends, {}, exists=True)
        staging = Mock(publish=world.publish, copy=Mock(return_value=copied))
        stand_ins: dict[tuple[Any, str], Any] = {
            (replay, "Staging"): Mock(return_value=staging),
            (replay, "Desk"): Mock(return_value=world),
            (replay, "CatalogClient"): Mock(),
            (replay, "judge_of"): Mock(return_value=Judge()),
            (replay, "wait_random"): Mock(return_value=wait_none()),
            (clickhouse, "Warehouse"): Mock(side_effect=partial(Warehouse, world)),
            (speed, "Speed"): Mock(return_value=Speed(world)),
        }
        for (module, name), stand_in in stand_ins.items():
            monkeypatch.setattr(module, name, stand_in)
        session: Any = Mock(createDataFrame=world.create)
        spec = parse_any(text, "spec.yaml")
        assert isinstance(spec, StreamSpec)
        access: Any = Mock(spark=Mock(catalog="lake"))
        found = Replaying(spec, session, access, Mock(), wanted=Wanted(), by="ada")
        found.world = world
        return found

    return made


def test_of_two_events_that_were_in_one_place_each_has_its_own_verdict(replaying: Replay) -> None:
    """Of a topic that was made anew, say."""
    world = World()
    world.rejected = [(7, f"{BAD}, newer"), (8, GOOD), (7, f"{GOOD}, older"), (9, f"{GOOD}, newer"), (9, BAD)]
    report = replaying(world, SPEC).run()
    assert (report.rows_in, report.rows_written, report.rows_quarantined) == (5, 3, 2)
    # The older first, so that the newer is what ClickHouse keeps.
    assert world.rounds == [[f"{GOOD}, older", GOOD], [f"{GOOD}, newer"]]
    assert {entry["reject"]: entry["action"] for entry in world.entries} == {
        "0": Action.FAILED,
        "1": Action.REPLAYED,
        "2": Action.REPLAYED,
        "3": Action.REPLAYED,
        "4": Action.FAILED,
    }


@pytest.mark.parametrize("text", [SPEC, SUMMED, f"{SPEC}keys: [id]\n"])
def test_events_whose_sums_can_be_counted_anew_are_put_in_together_whatever_was_put_in_before(
    replaying: Replay, text: str
) -> None:
    world = World()
    world.rejected = [(offset, GOOD) for offset in range(2 * REMEMBERED)]
    world.conflicts = 1
    replaying(world, text).run()
    assert world.inserts == []
    first, second = world.late
    assert len(first[1]) == len(second[1]) == 2 * REMEMBERED
    # With the token of another insert it would be left out, and some of these may not have been in that.
    assert first[0] != second[0]


def test_events_whose_sums_know_them_by_their_tokens_are_put_in_once_and_by_few(replaying: Replay) -> None:
    world = World()
    world.rejected = [(offset, f"{GOOD} {offset}") for offset in range(REMEMBERED)]
    world.conflicts = 3
    report = replaying(world, KEYED).run()
    assert report.rows_written == REMEMBERED
    assert [texts for _, texts in world.inserts] == [[text] for _, text in world.rejected]
    assert len({token for token, _ in world.inserts}) == REMEMBERED
    assert max(map(len, world.rounds)) <= REMEMBERED // 5


def test_one_that_was_cut_off_puts_in_what_is_missing_with_the_tokens_that_it_had(replaying: Replay) -> None:
    world = World()
    world.rejected = [(offset, f"{GOOD} {offset}") for offset in range(10)]
    world.fails_after = 5
    with pytest.raises(Unavailable):
        replaying(world, KEYED).run()
    had, world.inserts, world.fails_after = world.inserts, [], None
    replaying(world, KEYED).run()
    assert world.inserts[:5] == had
    assert len(world.inserts) == 10


def test_it_leaves_no_connection_open_however_it_ends(replaying: Replay) -> None:
    world = World()
    world.rejected = [(1, GOOD)]
    replaying(world, SUMMED).run()
    assert (len(world.late), world.open) == (1, 0)
    world.fails_after = 0
    with pytest.raises(Unavailable):
        replaying(world, KEYED).run()
    assert world.open == 0


def test_a_round_has_no_more_text_than_can_be_held(replaying: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_MOST_BYTES", 3 * len(GOOD))
    world = World()
    world.rejected = [(offset, GOOD) for offset in range(4)] + [(4, GOOD * 4), (5, GOOD)]
    report = replaying(world, SPEC).run()
    assert [len(texts) for texts in world.rounds] == [3, 1, 1, 1]
    assert (report.rows_in, report.rows_written) == (6, 6)


def test_the_desk_is_asked_for_those_that_are_named_however_many_are_newer(replaying: Replay) -> None:
    world = World()
    world.rejected = [(1, GOOD)]
    one = replaying(world, SPEC)
    one._wanted = Wanted(ids=frozenset({"0"}))
    one.run()
    assert set(world.asked_for) == {frozenset({"0"})}


@pytest.mark.parametrize("complete", [True, False])
def test_it_says_if_there_may_be_others_than_it_has_tried(replaying: Replay, complete: bool) -> None:  # noqa: FBT001
    world = World()
    world.rejected, world.complete = [(1, BAD)], complete
    one = replaying(world, SPEC)
    said: Any = one._context.say
    one.run()
    assert any("only the newest" in call.args[0] for call in said.call_args_list) is not complete

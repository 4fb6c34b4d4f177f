"""When sums are counted anew."""

from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream import sums as sums_module
from boathouse.pipelines.stream.order import NOWHERE, Order
from boathouse.pipelines.stream.postgres import SourceTable
from boathouse.pipelines.stream.spec import Rollup
from boathouse.pipelines.stream.sums import Sums
from boathouse.pipelines.types import Primitive

TABLE = SourceTable("public.bills", {"id": Primitive("long")}, ("id",), "f")
DUE = (TABLE.name, "")


class Noting:
    """A ClickHouse that knows which tables are to be counted."""

    def __init__(self, *rollups: str) -> None:
        self.rollups = rollups
        self.marks: set[tuple[str, str]] = set()
        self.commands = Mock(side_effect=list)

    def odd(self, prefix: str = "") -> set[tuple[str, str]]:
        return set(self.marks)

    def note_odd(self, marks: list[tuple[str, str]]) -> None:
        self.marks.update(marks)

    def forget_odd(self, marks: list[tuple[str, str]]) -> None:
        self.marks.difference_update(marks)

    def has_table(self, name: str) -> bool:
        return name in self.rollups

    def is_empty(self, name: str) -> bool:
        return False

    def last(self, name: str) -> Order:
        return NOWHERE


def sums(warehouse: Any) -> Sums:
    rollups = [Rollup(name=name, table=TABLE.name, by={"id": "id"}) for name in ("by_id", "made_later")]
    return Sums(warehouse, "lake", rollups, lambda: [TABLE])


def test_what_comes_late_in_the_last_batches_is_counted_at_their_end() -> None:
    warehouse = Noting("by_id", "made_later")
    counted = sums(warehouse)
    counted.settle()
    counted._again_at += 3600
    counted.note({DUE})
    counted.settle()
    assert warehouse.marks == {DUE}
    counted.settle(at_once=True)
    assert warehouse.marks == set()


def test_so_is_what_others_have_noted_meanwhile() -> None:
    warehouse = Noting("by_id", "made_later")
    counted = sums(warehouse)
    counted.settle()
    replayed = (TABLE.name, "replayed/1")
    warehouse.marks.add(replayed)
    counted._again_at = 0.0
    counted.settle()
    assert warehouse.marks == {replayed}
    counted.settle(at_once=True)
    assert warehouse.marks == set()


def test_a_rollup_that_is_not_made_yet_does_not_keep_others_from_being_counted() -> None:
    warehouse = Noting("by_id")
    counted = sums(warehouse)
    counted.note({DUE})
    counted.settle(at_once=True)
    said = [statement for call in warehouse.commands.call_args_list for statement in call.args[0]]
    assert warehouse.marks == set()
    assert warehouse.commands.call_count == 2
    assert not any("made_later" in statement for statement in said)


def test_what_cannot_be_forgotten_is_not_counted_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse, clock, second = Noting("by_id"), Mock(monotonic=Mock(return_value=1000.0)), 1.0
    monkeypatch.setattr(sums_module, "time", clock)

    def refuse(marks: list[tuple[str, str]]) -> None:
        clock.monotonic.return_value += second
        raise Unavailable("ClickHouse is away.")

    monkeypatch.setattr(warehouse, "forget_odd", refuse)
    counted = sums(warehouse)
    counted.note({DUE})
    with pytest.raises(Unavailable):
        counted.settle()
    times = warehouse.commands.call_count
    clock.monotonic.return_value += 19 * second
    counted.settle()
    assert warehouse.commands.call_count == times
    # A twentieth of its time later it is tried again, and nothing of what is due is lost.
    clock.monotonic.return_value += second
    with pytest.raises(Unavailable):
        counted.settle()
    assert warehouse.commands.call_count == 2 * times


KEY = (TABLE.name, '{"id":1}')
GOOD, BAD = None, "cannot be read"
BEFORE = "before_0"


def changes(first: int, *problems: str | None, op: str = "u") -> Any:
    """Of one row, one after another."""
    rows = [
        {"op": op, "key": KEY[1], "partition": 0, "place": first + number, "problem": problem, BEFORE: {"id": 1}}
        for number, problem in enumerate(problems)
    ]
    kinds = {name: pa.string() for name in ("op", "key", "problem")}
    kinds |= {"partition": pa.int32(), "place": pa.int64(), "lsn": pa.int64(), BEFORE: pa.struct([("id", pa.int64())])}
    return pa.Table.from_pylist([{"lsn": row["place"], **row} for row in rows], schema=pa.schema(kinds.items()))


@pytest.mark.parametrize("together", [(BAD, GOOD), (GOOD, BAD)])
def test_a_change_beside_a_rejected_one_of_its_row_has_them_counted_as_the_next_one_has(
    together: tuple[str | None, ...],
) -> None:
    warehouse = Noting("by_id", "made_later")
    counted = sums(warehouse)
    counted.watch(TABLE, changes(1, *together), BEFORE)
    assert warehouse.marks == {KEY, DUE}
    counted.settle(at_once=True)
    # The last of the two may have been the rejected one.
    assert warehouse.marks == {KEY}
    counted.watch(TABLE, changes(3, GOOD), BEFORE)
    assert warehouse.marks == {KEY, DUE}
    counted.settle(at_once=True)
    assert warehouse.marks == set()


def test_one_that_is_rejected_after_a_good_one_and_before_they_are_counted_stays_noted() -> None:
    warehouse = Noting("by_id", "made_later")
    counted = sums(warehouse)
    for lsn, problem in enumerate((BAD, GOOD, BAD), 1):
        counted.watch(TABLE, changes(lsn, problem), BEFORE)
    counted.settle(at_once=True)
    assert warehouse.marks == {KEY}
    counted.watch(TABLE, changes(4, GOOD), BEFORE)
    assert warehouse.marks == {KEY, DUE}


def test_rejected_changes_alone_have_nothing_counted() -> None:
    warehouse = Noting("by_id", "made_later")
    sums(warehouse).watch(TABLE, changes(1, BAD, BAD), BEFORE)
    assert warehouse.marks == {KEY}

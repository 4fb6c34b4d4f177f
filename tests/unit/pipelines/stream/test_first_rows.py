"""Whether rows that were there were read once, by what is in the topics."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from boathouse.kit.access import KafkaAccess
from boathouse.pipelines.stream import first_rows
from boathouse.pipelines.stream.debezium import emptied
from boathouse.pipelines.stream.first_rows import FirstRows, Message, message_of

KAFKA = KafkaAccess(servers="nowhere:9092", user="nobody", password=SecretStr("none"))
Log = Sequence[int | str | None]
"""Where the log stood when a row was read; `c` for a change; None for an offset that is no message."""


@dataclass
class Reader:
    topics: Mapping[str, Log]
    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def first(self, topic: str, partition: int, offset: int) -> Message | None:
        assert partition == 0
        self.asked.append((topic, offset))
        log = self.topics[topic]
        there = (place for place in range(offset, len(log)) if log[place] is not None)
        found = next(there, None)
        if found is None:
            return None
        what = log[found]
        return Message(found, what if isinstance(what, int) else None)


def looked(monkeypatch: pytest.MonkeyPatch, rows: FirstRows, topics: Mapping[str, Log]) -> tuple[bool, int]:
    """What it says, and how many messages it looked at for that."""
    reader = Reader(topics)

    def opened(_: KafkaAccess) -> Reader:
        return reader

    monkeypatch.setattr(first_rows, "_Reader", opened)
    ends = {topic: {"0": len(log)} for topic, log in topics.items()}
    return rows.were_read_twice({topic: {"0": 0} for topic in topics}, ends), len(reader.asked)


def since(*topics: str, at: int = 0) -> FirstRows:
    return FirstRows(KAFKA, {topic: {"0": at} for topic in topics})


@given(
    first=st.lists(st.sampled_from([7, 7, None]), max_size=40),
    second=st.lists(st.sampled_from([9, 9, None]), max_size=40),
    changes=st.lists(st.sampled_from(["c", None]), max_size=20),
)
def test_two_places_in_the_log_are_two_readings(first: Log, second: Log, changes: Log) -> None:
    with pytest.MonkeyPatch.context() as patch:
        found, asked = looked(patch, since("t"), {"t": [*first, *second, *changes]})
    assert found == (7 in first and 9 in second)
    # A first row, and then its last by halves.
    assert asked <= 8


def test_rows_of_one_table_tell_of_the_others_too(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = since("a", "b")
    assert looked(monkeypatch, rows, {"a": [7, 7], "b": []}) == (False, 2)
    # The first was read before it was cut off, and is empty by now.
    assert looked(monkeypatch, rows, {"a": [7, 7], "b": [9]})[0]


def test_what_has_gained_nothing_and_what_has_changes_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = since("a", "b")
    topics: dict[str, list[int | str | None]] = {"a": [7, None], "b": [7, "c", None]}
    assert looked(monkeypatch, rows, topics)[0] is False
    assert looked(monkeypatch, rows, topics) == (False, 0)
    assert looked(monkeypatch, rows, {"a": [7, None], "b": [*topics["b"], "c", None]}) == (False, 0)
    assert looked(monkeypatch, rows, {"a": [7, None, 9], "b": topics["b"]})[0] is True


def test_what_was_there_before_the_connector_is_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked(monkeypatch, since("a", at=3), {"a": [7, "c", "c", 9, 9, "c"]})[0] is False


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (b'{"op": "r", "source": {"lsn": 12}}', Message(5, 12)),
        (b'{"op": "c", "source": {"lsn": 12}}', Message(5, None)),
        (emptied("shop", "public.t", 12, 1), Message(5, None)),
    ],
)
def test_a_row_that_was_there_tells_where_the_log_stood(value: bytes, told: Message) -> None:
    assert message_of(5, value) == told


@pytest.mark.parametrize(
    "value",
    [b'{"op": "r", "source": null}', b'{"op": "r"}', b'{"op": "x", "source": {"lsn": 12}}', b"[]", b"{", b"\xff", None],
)
def test_what_nobody_can_read_is_not_taken_for_a_change_after_which_there_are_no_more_rows(value: bytes | None) -> None:
    assert message_of(5, value) is None


def test_an_emptied_table_is_told_as_debezium_tells_it() -> None:
    event = json.loads(emptied("shop", "sales.orders", 12, 34))
    assert (event["op"], event["before"], event["after"]) == ("t", None, None)
    assert event["source"] == {"name": "shop", "schema": "sales", "table": "orders", "lsn": 12, "ts_ms": 34}

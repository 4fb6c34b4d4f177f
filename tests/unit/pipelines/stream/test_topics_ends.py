"""Where topics end is known as far as Kafka has told, and that it does not answer is known soon."""

import threading

import pytest

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream import topics_ends
from boathouse.pipelines.stream.offsets import Offsets
from boathouse.pipelines.stream.topics_ends import TopicsEnds
from tests.lakehouse_under_test import eventually

ENDS: Offsets = {"t": {"0": 7}}


def test_what_was_told_last_stays_while_kafka_is_away_and_why_is_told() -> None:
    away = [False]

    def ask() -> Offsets:
        if away[0]:
            raise Unavailable("Kafka is away.", hint="Start it.")
        return ENDS

    ends = TopicsEnds(ask)
    ends.look()
    assert (ends.known(), ends.error()) == (ENDS, None)
    away[0] = True
    ends.look()
    assert (ends.known(), ends.error()) == (ENDS, "Kafka is away. Start it.")
    away[0] = False
    ends.look()
    assert ends.error() is None


def test_one_that_does_not_answer_is_told_before_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics_ends, "_LATE", 0.05)
    answers = threading.Event()

    def ask() -> Offsets:
        assert answers.wait(60)
        return ENDS

    ends = TopicsEnds(ask)
    ends.start()
    eventually(lambda: ends.error() is not None, within=60)
    assert (ends.error() or "").startswith("Kafka has not answered for ")
    answers.set()
    eventually(lambda: ends.known() == ENDS, within=60)
    ends.stop()
    assert ends.error() is None

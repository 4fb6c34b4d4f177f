"""What there is by now is taken in hop by hop, until it is over or somebody stops it."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from unittest.mock import Mock

import pytest

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream import run
from boathouse.pipelines.stream.hops import Hop, QueryHop
from boathouse.pipelines.stream.meter import Meter
from boathouse.pipelines.stream.run import Stream


class Noted(Hop):
    """One that notes what is done with it."""

    def __init__(self, name: str, during: Callable[[], None] = lambda: None) -> None:
        super().__init__(name, name, name, Meter())
        self.during = during
        self.done: list[str] = []

    def start(self) -> None: ...

    def look(self) -> None: ...

    def stop(self, seconds: float) -> None:
        self.done.append("stopped")

    def once(self, stopping: threading.Event) -> None:
        self.done.append("once")
        self.during()


class Ready(Stream):
    """One whose hops are given."""

    def __init__(self, *hops: Hop) -> None:
        context: Any = Mock()
        super().__init__(context, lambda _: None)
        self.given = hops

    def _owned(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _prepare(self) -> None:
        self._hops = list(self.given)
        self._done = {hop.name: lambda: None for hop in self.given}


@pytest.fixture(autouse=True)
def nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Topics", "CatalogClient"):
        monkeypatch.setattr(run, name, Mock())


def test_every_hop_takes_in_what_there_is() -> None:
    hops = Noted("bronze"), Noted("silver")
    assert Ready(*hops).once()["state"] == "ended"
    assert [hop.done for hop in hops] == [["once", "stopped"]] * 2


def test_after_a_signal_the_hop_at_hand_is_stopped_and_no_other_begins() -> None:
    hops = Noted("bronze"), Noted("silver")
    stream = Ready(*hops)
    hops[0].during = stream.stop
    assert stream.once()["state"] == "ended"
    assert [hop.done for hop in hops] == [["once", "stopped"], ["stopped"]]


def test_what_a_hop_raises_ends_it() -> None:
    def fail() -> None:
        raise Unavailable("Kafka is away.")

    hops = Noted("bronze", fail), Noted("silver")
    with pytest.raises(Unavailable, match="Kafka is away"):
        Ready(*hops).once()
    assert [hop.done for hop in hops] == [["once", "stopped"], ["stopped"]]


def test_hops_that_read_kafka_are_told_to_fail_as_soon_as_it_does_not_answer() -> None:
    nobody: Any = Mock()
    reading = QueryHop(nobody, "bronze", "t", "to", Meter(), take=nobody, start=str, every=1.0, at_most=1)
    stream: Any = Ready(reading, Noted("silver"))
    stream._prepare()
    stream._ends = Mock()
    stream._ends.error.return_value = "Kafka has not answered for 4 s."
    told = stream._told("running")
    assert [(hop["state"], hop["error"]) for hop in told["hops"]] == [
        ("failing", "Kafka has not answered for 4 s."),
        ("running", None),
    ]
    assert [alert["text"] for alert in told["alerts"]] == ["t fails: Kafka has not answered for 4 s."]
    stream._ends.error.return_value = None
    assert [hop["state"] for hop in stream._told("running")["hops"]] == ["running", "running"]

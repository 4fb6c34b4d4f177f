"""A hop ends when it is told to, does what is left then, and has recovered as soon as it works again."""

import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from unittest.mock import Mock

import pytest

from boathouse.kit.errors import Unavailable
from boathouse.pipelines.stream.hops import QueryHop, RoundsHop
from boathouse.pipelines.stream.meter import Meter


class Query:
    """One of Spark's, which ends after so many looks at it."""

    def __init__(
        self, looks: int = 0, *, on_look: Callable[[], None] = lambda: None, progress: dict[str, Any] | None = None
    ) -> None:
        self.looks = looks
        self.on_look = on_look
        self.isActive = True
        self.lastProgress = progress

    def awaitTermination(self, timeout: float | None = None) -> bool:  # noqa: N802 - Spark's name
        assert timeout, "nobody could stop it"
        self.on_look()
        self.looks -= 1
        self.isActive = self.looks >= 0
        return not self.isActive

    def exception(self) -> str | None:
        return None

    def stop(self) -> None:
        self.isActive = False


class Following(QueryHop):
    """One whose queries are given."""

    def __init__(self, *queries: Query | Exception, idle: Any = None) -> None:
        context: Any = Mock()
        taken: Any = Mock()
        super().__init__(context, "speed", "t", "d", Meter(), take=taken, start=str, every=1.0, at_most=1, idle=idle)
        self.queries = list(queries)

    def _begin(self, *, once: bool = False) -> Any:
        self._failure = None
        query = self.queries.pop(0)
        if isinstance(query, Exception):
            raise query
        return query


def begun(hop: QueryHop) -> None:
    """It has, or it has failed."""
    assert hop._beginning is not None
    hop._beginning.join(timeout=60)


def looked(hop: QueryHop) -> None:
    begun(hop)
    hop.look()
    begun(hop)


def test_one_that_cannot_begin_yet_keeps_nobody_from_looking_at_others_or_stopping_it() -> None:
    asked, answers = threading.Event(), threading.Event()

    class Patient(Following):
        def _begin(self, *, once: bool = False) -> Any:
            asked.set()
            answers.wait(60)
            return super()._begin(once=once)

    hop = Patient(query := Query(looks=1000))
    hop.start()
    assert asked.wait(60)
    for _ in range(3):
        hop.look()
    hop.stop(0.01)
    answers.set()
    begun(hop)
    # It has been told to stop before.
    assert not query.isActive


def test_a_batch_that_does_not_end_keeps_nobody_from_stopping() -> None:
    class Hanging(Query):
        def stop(self) -> None:
            raise TimeoutError("it did not end within 1000 milliseconds")

    hop = Following(Hanging(looks=1000))
    said: list[str] = []
    context: Any = hop._context
    context.say = said.append
    hop.start()
    begun(hop)
    hop.stop(1.0)
    assert said == ["speed: it did not end within 1000 milliseconds"]


def test_after_the_last_batch_what_is_left_beside_it_is_done_at_once() -> None:
    idle = Mock()
    Following(Query(looks=2), idle=idle).once(threading.Event())
    idle.assert_called_once_with(at_once=True)


def test_what_takes_long_beside_batches_keeps_nobody_who_looks_and_is_done_by_one_at_a_time() -> None:
    begun, goes_on, over = threading.Event(), threading.Event(), threading.Event()
    idle = Mock(side_effect=lambda: (begun.set(), goes_on.wait(60), over.set()))
    hop = Following(query := Query(looks=1000), idle=idle)
    hop.start()
    looked(hop)
    # There may be a batch to repeat, of which a part is there.
    idle.assert_not_called()
    query.lastProgress = {}
    hop.look()
    assert begun.wait(60)
    for _ in range(3):
        hop.look()
    # As long as it goes on, no batch begins, and to be stopped is to wait for it.
    assert not hop._busy.acquire(blocking=False)
    assert not over.is_set()
    idle.assert_called_once_with()
    goes_on.set()
    hop.stop(60.0)
    assert over.is_set()


def test_what_goes_wrong_beside_batches_is_said_and_tried_again() -> None:
    over = threading.Semaphore(0)
    hop = Following(Query(looks=1000, progress={}), idle=Mock(side_effect=Unavailable("ClickHouse is away.")))
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        over.release()

    context: Any = hop._context
    context.say = say
    hop.start()
    begun(hop)
    for _ in range(2):
        hop.look()
        assert over.acquire(timeout=60)
        with hop._busy:
            """It is let go of."""
    assert said == ["speed: ClickHouse is away."] * 2


def test_one_that_takes_in_what_there_is_can_be_stopped() -> None:
    stopping, idle = threading.Event(), Mock()
    query = Query(looks=1000, on_look=stopping.set)
    hop = Following(query, idle=idle)
    hop.once(stopping)
    assert query.looks == 999
    hop.stop(1.0)
    assert not query.isActive
    idle.assert_not_called()


def test_what_the_batch_said_is_raised_and_nothing_is_done_after_it() -> None:
    idle = Mock()

    def fail() -> None:
        hop._failure = Unavailable("ClickHouse is away.")
        raise RuntimeError("STREAM_FAILED")

    hop = Following(Query(on_look=fail), idle=idle)
    with pytest.raises(Unavailable, match="ClickHouse is away"):
        hop.once(threading.Event())
    idle.assert_not_called()


def _told(hop: QueryHop | RoundsHop) -> tuple[str, str | None]:
    return hop.state, hop.meter.reading(None).error


def test_a_query_that_works_again_has_recovered_although_nothing_comes() -> None:
    query = Query()
    hop = Following(Unavailable("Kafka is away."), query)
    hop._pause = 0.0
    hop.start()
    looked(hop)
    assert _told(hop) == ("failing", "Kafka is away.")
    # Begun again, it may still fail: it has not looked at its topics yet.
    for _ in range(3):
        looked(hop)
    assert _told(hop) == ("failing", "Kafka is away.")
    query.lastProgress = {}
    hop.look()
    assert _told(hop) == ("running", None)


def test_rounds_that_go_well_have_recovered_although_there_is_nothing_to_do() -> None:
    rounds = threading.Semaphore(0)

    def look() -> bool:
        rounds.release()
        return False

    hop = RoundsHop("silver", "t", "n", Meter(), look=look, every=0.01, say=print)
    hop.went_wrong("The catalog is away.")
    assert _told(hop) == ("failing", "The catalog is away.")
    hop.start()
    # Where a second has begun, the first has gone well.
    assert all(rounds.acquire(timeout=10) for _ in range(2))
    hop.stop(10.0)
    assert _told(hop) == ("running", None)


class Limited(QueryHop):
    """One that may take so many in a second, and has so many in each batch."""

    def __init__(self, per_second: int, events: int) -> None:
        context: Any = Mock()
        context.spec.limits.events_per_second = per_second
        self.taken: list[float] = []
        self.events = events
        super().__init__(context, "speed", "t", "d", Meter(), take=self.took, start=str, every=1.0, at_most=9)

    def took(self, _messages: Any, batch: int) -> None:
        self.taken.append(time.monotonic())
        self.meter.took(batch, self.events, 0, 0.0, None)

    def batches(self, count: int) -> None:
        """One after another, as where all that there is is taken in."""
        for batch in range(count):
            self._batch(Mock(), batch)


def test_a_batch_that_follows_at_once_waits_until_the_last_has_had_its_time() -> None:
    hop = Limited(100, events=10)
    hop.batches(3)
    assert [later - before >= 0.1 for before, later in pairwise(hop.taken)] == [True, True]


def test_one_that_waits_can_be_stopped() -> None:
    hop = Limited(1, events=1000)
    hop.batches(1)
    failed: list[BaseException] = []

    def follow() -> None:
        try:
            hop.batches(1)
        except RuntimeError as error:
            failed.append(error)

    waiting = threading.Thread(target=follow)
    waiting.start()
    hop.stop(10.0)
    waiting.join(timeout=10)
    assert [str(error) for error in failed] == ["it is being stopped"]
    assert len(hop.taken) == 1

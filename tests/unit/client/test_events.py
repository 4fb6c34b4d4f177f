"""Server-sent events, in whatever pieces they come, and taken up where a connection was lost."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathouse.client.events import Event, parsed, resumed
from boathouse.kit.errors import BoathouseError, NotFound, Unavailable

# No event holds a line feed of its own, nor ends in what belongs to the end of a line.
TEXTS = st.text().map(lambda text: text.replace("\r", "").replace("\n", ""))


def written(event: Event) -> bytes:
    lines = [f"id: {event.id}"] if event.id else []
    lines += [f"event: {event.kind}", *(f"data: {line}" for line in event.data.split("\n"))]
    return "\n".join((*lines, "", "")).encode(errors="surrogatepass")


@given(
    data=st.lists(st.lists(TEXTS, min_size=1).map("\n".join), min_size=1),
    size=st.integers(min_value=1, max_value=50),
)
def test_events_are_read_as_written_however_the_network_cuts_them(data: list[str], size: int) -> None:
    events = [Event(text.encode(errors="replace").decode(), "line", str(number)) for number, text in enumerate(data, 1)]
    content = b"".join(map(written, events))
    chunks = [content[start : start + size] for start in range(0, len(content), size)]
    assert list(parsed(chunks)) == events


def test_comments_are_nothing_and_the_last_id_holds_on() -> None:
    content = b": still here\n\nid: 7\ndata: a\n\ndata: b\r\n\r\nevent: end\n\n"
    assert list(parsed([content])) == [Event("a", id="7"), Event("b", id="7"), Event(kind="end", id="7")]


def test_what_was_cut_off_is_no_event() -> None:
    assert list(parsed([b"id: 1\ndata: whole\n\nid: 2\ndata: ha"])) == [Event("whole", id="1")]


class Lossy:
    """Gives so many events at a time, then drops the connection with an error, or without a word."""

    def __init__(self, events: list[Event], at_a_time: int, error: BoathouseError | None = None) -> None:
        self.events = events
        self.at_a_time = at_a_time
        self.error = error
        self.asked: list[str | None] = []
        self.pauses: list[float] = []

    def opened(self, place: str | None) -> Iterator[Event]:
        self.asked.append(place)
        begin = next((number for number, event in enumerate(self.events, 1) if event.id == place), 0)
        yield from self.events[begin : begin + self.at_a_time]
        if self.error:
            raise self.error

    def all(self) -> list[Event]:
        return list(resumed(self.opened, until="end", pause=self.pauses.append))


EVENTS = [Event("a", id="1"), Event("b", id="2"), Event("c", id="3"), Event(kind="end", id="4")]


@pytest.mark.parametrize("error", [None, Unavailable("It broke.")])
def test_none_is_lost_and_none_comes_twice_when_the_connection_drops(error: Unavailable | None) -> None:
    lossy = Lossy(EVENTS, 1, error)
    assert lossy.all() == EVENTS
    assert lossy.asked == [None, "1", "2", "3"]


def test_a_server_that_stays_away_is_given_up_after_longer_and_longer_pauses() -> None:
    lossy = Lossy(EVENTS, 0, Unavailable("Nobody answers."))
    with pytest.raises(Unavailable, match="Nobody answers"):
        lossy.all()
    assert lossy.pauses == sorted(lossy.pauses)
    assert len(lossy.asked) == len(lossy.pauses) + 1


def test_a_stream_that_ends_again_and_again_without_its_last_event_is_said_so() -> None:
    with pytest.raises(Unavailable, match="before its last event"):
        Lossy(EVENTS[:2], 2).all()


def test_what_no_repeat_can_mend_is_not_repeated() -> None:
    lossy = Lossy(EVENTS, 1, NotFound("There is no such run."))
    with pytest.raises(NotFound):
        lossy.all()
    assert lossy.asked == [None]

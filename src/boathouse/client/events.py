"""Server-sent events: read from a stream of bytes, and taken up again where a connection was lost."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from boathouse.kit.errors import BoathouseError, Unavailable

# Of a server that is being replaced, until the next one answers; then whoever waits is told.
FRUITLESS = 8
_LONGEST_PAUSE = 5.0


@dataclass(frozen=True)
class Event:
    data: str = ""
    kind: str = "message"
    id: str | None = None
    """Where to go on after this one."""


@dataclass
class _Draft:
    data: list[str] = field(default_factory=list[str])
    kind: str = ""


def parsed(chunks: Iterable[bytes]) -> Iterator[Event]:
    """As the specification of server-sent events has it. What the end of the stream cuts off is not an event."""
    draft, identity = _Draft(), None
    for line in _lines(chunks):
        if not line:
            if draft.data or draft.kind:
                yield Event("\n".join(draft.data), draft.kind or "message", identity)
            draft = _Draft()
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            draft.data.append(value)
        elif name == "event":
            draft.kind = value
        elif name == "id":
            identity = value


def resumed(
    opened: Callable[[str | None], Iterator[Event]], *, until: str, pause: Callable[[float], None] = time.sleep
) -> Iterator[Event]:
    """All the events up to one of the kind `until`. `opened` begins after the event whose id it is given."""
    place: str | None = None
    fruitless = 0
    while True:
        reason: BoathouseError = Unavailable(
            "The stream ends before its last event.", hint="See the control plane's log, and ask again."
        )
        try:
            for event in opened(place):
                place = event.id or place
                fruitless = 0
                yield event
                if event.kind == until:
                    return
        except BoathouseError as error:
            if not error.retryable:
                raise
            reason = error
        fruitless += 1
        if fruitless > FRUITLESS:
            raise reason
        pause(min(0.1 * 2**fruitless, _LONGEST_PAUSE))


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Split at line feeds alone: text may hold other characters that some take for the end of a line."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line.rstrip(b"\r").decode(errors="replace") for line in whole)

"""What a stream is doing, in one document: hop by hop, and what breaks its aims."""

from datetime import UTC, datetime
from typing import Any

from boathouse.pipelines.stream.spec import Aims

Json = dict[str, Any]
SOURCE = "source"
"""The hop by which changes come to Kafka: how much is still to be read, nobody there can tell."""


class Alerts:
    """Each from when it began until it is over."""

    def __init__(self, aims: Aims) -> None:
        self._aims = aims
        self._since: dict[tuple[str, str], str] = {}

    def of(self, hops: list[Json], at: str) -> list[Json]:
        found = [alert for hop in hops for alert in self._of_hop(hop)]
        known = {(alert["hop"], alert["what"]) for alert in found}
        self._since = {key: since for key, since in self._since.items() if key in known}
        return [{**alert, "since": self._since.setdefault((alert["hop"], alert["what"]), at)} for alert in found]

    def _of_hop(self, hop: Json) -> list[Json]:
        found: list[Json] = []
        name, lag = hop["name"], hop["lag"]
        if hop["error"]:
            found.append(_alert(name, "error", None, None, f"{hop['title']} fails: {hop['error']}"))
        if self._aims.lag is not None and lag is not None and lag > self._aims.lag:
            text = f"{hop['title']} is {lag:,} events behind; the aim is {self._aims.lag:,}."
            found.append(_alert(name, "lag", lag, self._aims.lag, text))
        late = hop["freshness"]
        if self._aims.freshness is not None and lag and late is not None and late > self._aims.freshness:
            text = f"{hop['title']} is {late:.1f} s behind; the aim is {self._aims.freshness:g} s."
            found.append(_alert(name, "freshness", late, self._aims.freshness, text))
        wanted = self._aims.events_per_second
        if wanted is not None and lag is not None and lag > wanted and hop["rate"] < wanted:
            text = f"{hop['title']} takes {hop['rate']:,.0f} events/s while {lag:,} wait; the aim is {wanted:,}."
            found.append(_alert(name, "rate", hop["rate"], wanted, text))
        return found


def _alert(hop: str, what: str, value: float | None, limit: float | None, text: str) -> Json:
    return {"hop": hop, "what": what, "value": value, "limit": limit, "text": text}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

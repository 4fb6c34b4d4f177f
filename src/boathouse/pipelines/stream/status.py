"""What a stream is doing, in one document: hop by hop, and what breaks its aims."""

from datetime import UTC, datetime
from typing import Any

from boathouse.pipelines.stream.spec import Aims

Json = dict[str, Any]
SOURCE = "source"
"""The hop by which changes come to Kafka: how many are still to be read nobody there can tell, but how much of Postgres's log."""
TITLES = {
    SOURCE: "Postgres to Kafka",
    "bronze": "Kafka to the log",
    "speed": "Kafka to ClickHouse",
    "silver": "The log to tables",
}
"""Of each hop, in the order in which they are told."""


def document(
    pipeline: str, state: str, *, since: str, at: str, aims: Aims, hops: list[Json], rejected: int, alerts: list[Json]
) -> Json:
    return {
        "pipeline": pipeline,
        "state": state,
        "since": since,
        "at": at,
        "aims": aims.model_dump(),
        "hops": hops,
        "rejected": rejected,
        "alerts": alerts,
    }


def hop_state(state: str, own: str) -> str:
    """Of a hop that is `own` while the stream runs, where the stream is in `state`."""
    return own if state == "running" else {"stopping": "running", "ended": "stopped"}.get(state, state)


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
        late, behind = hop["freshness"], lag or hop.get("lag_bytes")
        if self._aims.freshness is not None and behind and late is not None and late > self._aims.freshness:
            text = f"{hop['title']} is {late:.1f} s behind; the aim is {self._aims.freshness:g} s."
            found.append(_alert(name, "freshness", late, self._aims.freshness, text))
        wanted = self._aims.events_per_second
        # Before its first batch it has no rate yet.
        begun = hop["last_at"] is not None
        if wanted is not None and begun and lag is not None and lag > wanted and hop["rate"] < wanted:
            text = f"{hop['title']} takes {hop['rate']:,.0f} events/s while {lag:,} wait; the aim is {wanted:,}."
            found.append(_alert(name, "rate", hop["rate"], wanted, text))
        return found


def _alert(hop: str, what: str, value: float | None, limit: float | None, text: str) -> Json:
    return {"hop": hop, "what": what, "value": value, "limit": limit, "text": text}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

"""What the demo shows of a stream's status."""

from typing import Any

from rich.console import Console

from boathouse.cli.meters.view import alerts_text, arrived, hops_table


def hop(**changed: Any) -> dict[str, Any]:
    known = {
        "name": "bronze",
        "title": "Kafka to the log",
        "to": "log.changes",
        "state": "running",
        "events": 12_345,
        "rate": 99.6,
    }
    return {**known, "lag": 7, "freshness": 1.25, "batch_seconds": None, **changed}


def test_each_hop_is_a_line_with_its_figures() -> None:
    console = Console(width=200)
    with console.capture() as shown:
        console.print(hops_table({"hops": [hop(), hop(title="Kafka to ClickHouse", lag=None, freshness=None)]}))
    *_, log, speed = shown.get().splitlines()
    assert log.split()[-7:] == ["running", "12,345", "100", "7", "1.2", "s", "-"]
    assert speed.split()[-4:] == ["100", "-", "-", "-"]


def test_everything_has_arrived_when_no_hop_that_counts_is_behind() -> None:
    source = hop(name="source", lag=None)
    assert arrived({"hops": [source, hop(lag=0)]})
    assert not arrived({"hops": [source, hop(lag=0), hop(lag=1)]})
    # One that has not looked yet knows nothing.
    assert not arrived({"hops": [source, hop(lag=0), hop(lag=None)]})
    assert not arrived({"hops": [source]})


def test_alerts_are_told_in_their_own_words() -> None:
    assert "too far behind" in alerts_text({"alerts": [{"text": "too far behind"}]}).plain

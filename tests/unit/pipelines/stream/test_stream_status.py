"""What a stream says of itself: rates, how far behind, and what breaks its aims."""

import time
from typing import Any

import pytest

from boathouse.pipelines.stream.meter import Meter, hop_json
from boathouse.pipelines.stream.spec import Aims
from boathouse.pipelines.stream.status import Alerts


def hop(**more: Any) -> dict[str, Any]:
    told = hop_json(Meter().reading(None), None, name="speed", title="Kafka to ClickHouse", to="d", state="running")
    return told | more


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"lag": 101, "rate": 50.0}, ["lag"]),
        ({"lag": 5, "freshness": 3.0, "rate": 50.0}, ["freshness"]),
        ({"lag": 60, "rate": 10.0, "last_at": "then"}, ["rate"]),
        # It has not taken its first batch yet.
        ({"lag": 60, "rate": 0.0}, []),
        ({"error": "it is away"}, ["error"]),
        ({"lag": 0, "freshness": 3.0, "rate": 0.0}, []),
        # Of the hop that reads Postgres's log, whose events nobody can count.
        ({"lag_bytes": 4096, "freshness": 600.0}, ["freshness"]),
        ({"lag_bytes": 0, "freshness": 0.0}, []),
    ],
)
def test_an_alert_for_each_aim_that_is_missed(more: dict[str, Any], what: list[str]) -> None:
    alerts = Alerts(Aims(events_per_second=50, freshness=2.0, lag=100))
    assert [alert["what"] for alert in alerts.of([hop(**more)], "now")] == what


def test_an_alert_lasts_from_when_it_began_until_it_is_over() -> None:
    alerts = Alerts(Aims(lag=100))
    late, well = hop(lag=200, rate=1.0), hop(lag=1, rate=1.0)
    assert [alert["since"] for alert in alerts.of([late], "one")] == ["one"]
    assert [alert["since"] for alert in alerts.of([late], "two")] == ["one"]
    assert alerts.of([well], "three") == []
    assert [alert["since"] for alert in alerts.of([late], "four")] == ["four"]


def test_without_aims_only_errors_are_told() -> None:
    assert Alerts(Aims()).of([hop(lag=10**9, freshness=10.0**6)], "now") == []


def test_a_meter_counts_and_tells_how_old_the_last_change_is() -> None:
    meter = Meter()
    changed_at = int(time.time() * 1000) - 2000
    meter.took(3, 100, 2, 0.5, changed_at)
    arrived, behind = meter.reading(0), meter.reading(10)
    assert (arrived.events, arrived.rejected, arrived.batch, arrived.batch_seconds) == (100, 2, 3, 0.5)
    assert arrived.freshness is not None
    assert arrived.freshness == pytest.approx(2.0, abs=1.0)
    assert behind.freshness is not None
    assert behind.freshness >= arrived.freshness
    assert arrived.rate > 0


def test_an_error_is_told_until_a_batch_goes_well() -> None:
    meter = Meter()
    meter.failed("away")
    assert meter.reading(None).error == "away"
    meter.took(1, 1, 0, 0.1, None)
    assert meter.reading(None).error is None

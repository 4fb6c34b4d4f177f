"""What a worker makes of a stream's statuses: figures as long as the run is there, and each alert once."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from prometheus_client import generate_latest

from boathouse.control.jobs.stream_status import SILENT_AFTER
from boathouse.control.worker.journal import Journal
from boathouse.control.worker.metrics import REGISTRY
from boathouse.control.worker.streams import StreamWatch

ALERT: dict[str, Any] = {
    "hop": "speed",
    "what": "lag",
    "value": 20,
    "limit": 10,
    "since": "2026-01-31T00:00:00Z",
    "text": "It is 20 events behind.",
}
HOP: dict[str, Any] = {
    "name": "speed",
    "title": "Kafka to ClickHouse",
    "to": "meters",
    "state": "running",
    "events": 1234,
    "rate": 512.5,
    "lag": 20,
    "freshness": None,
}


def status(*alerts: dict[str, Any]) -> dict[str, Any]:
    told = {"pipeline": "meters", "state": "running", "since": "2026-01-31T00:00:00Z", "at": "2026-01-31T00:00:01Z"}
    return {"stream": {**told, "aims": {"lag": 10}, "hops": [HOP], "rejected": 3, "alerts": list(alerts)}}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(journal: Journal, clock: Clock) -> Generator[StreamWatch]:
    watch = StreamWatch("north", "meters", "r1", journal, clock)
    yield watch
    watch.close()


def figures() -> dict[str, str]:
    lines = generate_latest(REGISTRY).decode().splitlines()
    found = [line for line in lines if line.startswith("boathouse_stream_")]
    return {name: value for name, _, value in (line.rpartition(" ") for line in found)}


def said(journal: Journal) -> list[str]:
    return [text for _, _, text in journal.next_lines()]


def test_its_figures_are_there_as_long_as_it_is(watch: StreamWatch) -> None:
    watch.saw(status(ALERT))
    of_job, of_hop = '{job="meters",workspace="north"}', '{hop="speed",job="meters",workspace="north"}'
    told = figures()
    assert told[f"boathouse_stream_events_total{of_hop}"] == "1234.0"
    assert told[f"boathouse_stream_events_per_second{of_hop}"] == "512.5"
    assert told[f"boathouse_stream_lag_events{of_hop}"] == "20.0"
    assert told[f"boathouse_stream_aim_lag_events{of_job}"] == "10.0"
    assert told[f"boathouse_stream_rejected_total{of_job}"] == "3.0"
    assert told['boathouse_stream_alerts{hop="speed",job="meters",what="lag",workspace="north"}'] == "1.0"
    # What is not known is not told as 0.
    assert not [name for name in told if "freshness" in name]
    watch.close()
    assert figures() == {}


def test_an_alert_is_told_once_until_it_is_over(watch: StreamWatch, journal: Journal, clock: Clock) -> None:
    watch.saw(status(ALERT))
    watch.saw(status(ALERT))
    assert ([raised.alert.text for raised in journal.alerts], said(journal)) == (
        ["It is 20 events behind."],
        ["Alert: It is 20 events behind."],
    )
    # One that comes and goes is the same.
    clock.now = 50
    watch.saw(status())
    clock.now = 59
    watch.saw(status(ALERT))
    assert len(journal.alerts) == 1
    clock.now = 120
    watch.saw(status())
    assert said(journal)[-1] == "The alert on the lag of speed is over."
    watch.saw(status(ALERT, {**ALERT, "what": "rate"}))
    assert [raised.alert.what for raised in journal.alerts] == ["lag", "lag", "rate"]
    assert len({raised.id for raised in journal.alerts}) == 3


def test_one_that_falls_silent_is_told_of_until_it_speaks_again(
    watch: StreamWatch, journal: Journal, clock: Clock
) -> None:
    watch.saw(status())
    clock.now = SILENT_AFTER
    watch.look()
    assert not journal.alerts
    clock.now = SILENT_AFTER + 1
    watch.look()
    watch.look()
    silent = 'boathouse_stream_alerts{hop="",job="meters",what="silence",workspace="north"}'
    assert figures()[silent] == "1.0"
    told = "It has told nothing since 2026-01-31 00:00:01Z: its figures are as old as that."
    assert [(raised.alert.what, raised.alert.text) for raised in journal.alerts] == [("silence", told)]
    watch.saw(status())
    watch.look()
    assert silent not in figures()
    clock.now += 61
    watch.saw(status())
    assert said(journal) == [f"Alert: {told}", "The alert on its silence is over."]


@pytest.mark.parametrize("state", ["starting", "stopping", "ended"])
def test_one_that_makes_ready_or_ends_takes_its_time(
    watch: StreamWatch, journal: Journal, clock: Clock, state: str
) -> None:
    watch.look()
    watch.saw({"stream": {**status()["stream"], "state": state}})
    clock.now = 1000
    watch.look()
    assert not journal.alerts


def test_how_long_it_has_told_nothing_is_a_figure_too(watch: StreamWatch) -> None:
    at = datetime.now(UTC) - timedelta(seconds=100)
    watch.saw({"stream": {**status()["stream"], "at": at.isoformat()}})
    assert 100 <= float(figures()['boathouse_stream_silent_seconds{job="meters",workspace="north"}']) < 160


def test_alerts_wait_until_they_are_written(watch: StreamWatch, journal: Journal) -> None:
    watch.saw(status(ALERT))
    assert journal.has_news
    journal.written(1, None, 1)
    assert not journal.has_news


def test_progress_of_another_sort_is_none_of_its_business(watch: StreamWatch) -> None:
    watch.saw({"tasks": 1})
    assert figures() == {}


def test_a_stream_has_no_line_of_tasks_that_could_be_drawn(journal: Journal) -> None:
    journal.moved(status())
    journal.moved({"tasks": 1})
    assert len(journal.timeline) == 1

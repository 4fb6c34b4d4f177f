"""The figures of streaming runs that are under way here. They are named by their jobs, which are few; with a run they are gone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from boathouse.control.database.base import now
from boathouse.control.jobs.stream_status import Hop, StreamStatus
from boathouse.control.worker.metrics import REGISTRY

_BY_JOB = ("workspace", "job")
_BY_HOP = (*_BY_JOB, "hop")


@dataclass(frozen=True)
class Measured:
    workspace: str
    job: str
    run_id: str

    @property
    def labels(self) -> tuple[str, str]:
        return self.workspace, self.job


class Streams(Collector):
    def __init__(self, registry: CollectorRegistry) -> None:
        self._told: dict[Measured, StreamStatus] = {}
        self._turn = Lock()
        registry.register(self)

    def tell(self, measured: Measured, status: StreamStatus) -> None:
        with self._turn:
            self._told[measured] = status

    def forget(self, measured: Measured) -> None:
        with self._turn:
            self._told.pop(measured, None)

    def collect(self) -> Iterator[Metric]:
        """Asked for by a thread of its own."""
        with self._turn:
            told = dict(self._told)
        yield _counter("events", "Events that a hop has passed on.", _BY_HOP, told, _each(lambda hop: hop.events))
        gauges: tuple[tuple[str, str, Callable[[Hop], float | None]], ...] = (
            ("events_per_second", "Events a second that a hop passes on.", lambda hop: hop.rate),
            ("lag_events", "Events by which a hop is behind.", lambda hop: hop.lag),
            ("lag_bytes", "Bytes of its source's log by which a hop is behind.", lambda hop: hop.lag_bytes),
            ("freshness_seconds", "Seconds by which a hop is behind.", lambda hop: hop.freshness),
            ("batch_seconds", "How long a hop's last batch took.", lambda hop: hop.batch_seconds),
            ("hop_running", "1 of a hop that runs, 0 of one that does not.", lambda hop: hop.state == "running"),
        )
        for name, text, figure in gauges:
            yield _gauge(name, text, _BY_HOP, told, _each(figure))
        for name, text, aim in (
            ("aim_events_per_second", "Events a second that it should manage.", "events_per_second"),
            ("aim_lag_events", "Events by which a hop may be behind.", "lag"),
            ("aim_freshness_seconds", "Seconds by which a hop may be behind.", "freshness"),
        ):
            yield _gauge(name, text, _BY_JOB, told, lambda status, aim=aim: [((), getattr(status.aims, aim))])
        yield _counter("rejected", "Events that were put aside.", _BY_JOB, told, lambda status: [((), status.rejected)])
        yield _gauge("silent_seconds", "Seconds since it told how it fares.", _BY_JOB, told, _silent)
        by_alert = (*_BY_HOP, "what")
        yield _gauge("alerts", "1 for each alert that there is.", by_alert, told, _alerts)


Figures = Callable[[StreamStatus], list[tuple[tuple[str, ...], float | None]]]
"""Labels beside those of the job, and the figure for them; none where nothing is known."""


def _each(figure: Callable[[Hop], float | None]) -> Figures:
    return lambda status: [((hop.name,), figure(hop)) for hop in status.hops]


def _silent(status: StreamStatus) -> list[tuple[tuple[str, ...], float | None]]:
    return [((), max((now() - status.at).total_seconds(), 0.0))]


def _alerts(status: StreamStatus) -> list[tuple[tuple[str, ...], float | None]]:
    return [(labels, 1.0) for labels in sorted({(alert.hop, alert.what) for alert in status.alerts})]


def _counter(
    name: str, text: str, labels: tuple[str, ...], told: dict[Measured, StreamStatus], figures: Figures
) -> Metric:
    return _filled(CounterMetricFamily(f"boathouse_stream_{name}", text, labels=labels), told, figures)


def _gauge(
    name: str, text: str, labels: tuple[str, ...], told: dict[Measured, StreamStatus], figures: Figures
) -> Metric:
    return _filled(GaugeMetricFamily(f"boathouse_stream_{name}", text, labels=labels), told, figures)


def _filled(
    family: CounterMetricFamily | GaugeMetricFamily, told: dict[Measured, StreamStatus], figures: Figures
) -> Metric:
    for measured, status in told.items():
        for labels, value in figures(status):
            if value is not None:
                family.add_metric([*measured.labels, *labels], float(value))
    return family


STREAMS = Streams(REGISTRY)

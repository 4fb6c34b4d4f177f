"""Counters and histograms for what happens thousands of times a second.

Those of the library take a lock for each number, which was a tenth of what loading a table costs. These belong to the event loop's one
thread, which counts and is asked, and need none.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector


class Tally:
    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0

    def inc(self, amount: int = 1) -> None:
        self.number += amount


class Timing:
    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self._bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        names = [*(str(bound) for bound in self._bounds), "+Inf"]
        return list(zip(names, accumulate(self.counts), strict=True))


class Tallies(Collector):
    """A counter, by the values of its labels."""

    def __init__(self, name: str, text: str, *labels: str) -> None:
        self._about = (name, text)
        self._labels = labels
        self._children: dict[tuple[str, ...], Tally] = {}

    def labels(self, *values: str) -> Tally:
        return self._children.setdefault(values, Tally())

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily(*self._about, labels=self._labels)
        for values, tally in self._children.items():
            family.add_metric(values, tally.number)
        yield family


class Timings(Collector):
    """A histogram, by the values of its labels."""

    def __init__(self, name: str, text: str, *labels: str, bounds: Sequence[float]) -> None:
        self._about = (name, text)
        self._labels = labels
        self._bounds = bounds
        self._children: dict[tuple[str, ...], Timing] = {}

    def labels(self, *values: str) -> Timing:
        return self._children.setdefault(values, Timing(self._bounds))

    def collect(self) -> Iterable[Metric]:
        family = HistogramMetricFamily(*self._about, labels=self._labels)
        for values, timing in self._children.items():
            family.add_metric(values, timing.buckets(), timing.total)
        yield family

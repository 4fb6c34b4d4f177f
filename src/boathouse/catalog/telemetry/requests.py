"""Counting requests. The child of each combination of labels is looked up once, which is most of what counting costs."""

from dataclasses import dataclass
from functools import cache

from boathouse.catalog.telemetry.metrics import REQUEST_SECONDS, REQUESTS
from boathouse.catalog.telemetry.tallies import Tally, Timing

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
UNMATCHED = "(none)"
"""The route of a request that none was found for, or that was refused before."""


@dataclass(frozen=True)
class _Counted:
    requests: Tally
    seconds: Timing


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    counted = _counted(method if method in _METHODS else "other", route, status)
    counted.requests.inc()
    counted.seconds.observe(seconds)


# Bounded: methods, routes and statuses are each from a short list.
@cache
def _counted(method: str, route: str, status: int) -> _Counted:
    return _Counted(
        REQUESTS.labels(method, route, str(status) if status else "closed"), REQUEST_SECONDS.labels(method, route)
    )

"""The control plane's metrics. Labels are few and fixed: routes and outcomes, never names of users or jobs."""

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS = Counter("boathouse_control_requests", "Requests answered.", ("method", "route", "status"), registry=REGISTRY)
REQUEST_SECONDS = Histogram(
    "boathouse_control_request_seconds",
    "From a request to the end of its answer.",
    ("method", "route"),
    registry=REGISTRY,
    buckets=_SECONDS,
)

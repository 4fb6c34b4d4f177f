"""Figures of the server, in a registry of its own."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from boathouse.stack.embedded_clickhouse.engine import Outcome

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
_QUERIES = Counter("clickhouse_queries", "Queries by kind and how they ended.", ["kind", "outcome"], registry=REGISTRY)
_SECONDS = Histogram(
    "clickhouse_query_seconds",
    "From the last byte of the request to the last of the answer.",
    ["kind"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
    registry=REGISTRY,
)
_ROWS = Counter("clickhouse_rows", "Rows read and written.", ["direction"], registry=REGISTRY)
_BYTES = Counter("clickhouse_bytes", "Bytes read and written, as they are in memory.", ["direction"], registry=REGISTRY)
RUNNING = Gauge("clickhouse_running_queries", "Queries that run now.", registry=REGISTRY)
REFUSED = Counter("clickhouse_refused_logins", "Requests whose login was refused.", registry=REGISTRY)


def count(kind: str, error_name: str | None, seconds: float, outcome: Outcome) -> None:
    _QUERIES.labels(kind, error_name or "ok").inc()
    _SECONDS.labels(kind).observe(seconds)
    _ROWS.labels("read").inc(outcome.read_rows)
    _ROWS.labels("written").inc(outcome.written_rows)
    _BYTES.labels("read").inc(outcome.read_bytes)
    _BYTES.labels("written").inc(outcome.written_bytes)

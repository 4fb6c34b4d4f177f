"""The catalog's metrics. One registry a process: it is the process that is watched.

Labels are few and fixed: route templates and outcomes, never the names of tables or callers.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from boathouse.catalog.telemetry.tallies import Tallies, Tally, Timings

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

# Loads take a fraction of a millisecond, commits some; what waits for an election takes seconds.
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(f"boathouse_catalog_{name}", text, labels, registry=REGISTRY)


def _gauge(name: str, text: str, *labels: str) -> Gauge:
    return Gauge(f"boathouse_catalog_{name}", text, labels, registry=REGISTRY)


def _tallies(name: str, text: str, *labels: str) -> Tallies:
    tallies = Tallies(f"boathouse_catalog_{name}", text, *labels)
    REGISTRY.register(tallies)
    return tallies


def _timings(name: str, text: str, *labels: str) -> Timings:
    timings = Timings(f"boathouse_catalog_{name}", text, *labels, bounds=_SECONDS)
    REGISTRY.register(timings)
    return timings


def _histogram(name: str, text: str, *labels: str) -> Histogram:
    return Histogram(f"boathouse_catalog_{name}", text, labels, registry=REGISTRY, buckets=_SECONDS)


REQUESTS = _tallies("requests", "Requests answered.", "method", "route", "status")
REQUEST_SECONDS = _timings("request_seconds", "From a request to the end of its answer.", "method", "route")
IN_FLIGHT = Tally()
_gauge("requests_in_flight", "Requests that are being answered.").set_function(lambda: IN_FLIGHT.number)

COMMITS = _counter("commits", "Changes: applied, conflict, rejected or unknown.", "outcome")
COMMIT_SECONDS = _histogram("commit_seconds", "A change with all its attempts, until its outcome.", "outcome")
RETRIES = _counter("commit_retries", "Times a change was planned again because another was faster.")
REPLAYS = _counter("replays", "Repeats that were told what the first request with their idempotency key was told.")

STORE_SECONDS = _timings("store_seconds", "One operation of the store.", "operation")
STORE_ERRORS = _counter("store_errors", "Operations of the store that failed.", "operation")
STORE_ENDPOINTS = _gauge("store_endpoints", "Members of the store that this server knows.")
STORE_REACHABLE = _gauge("store_endpoints_reachable", "Those of them that answered.")
STORE_HAS_LEADER = _gauge("store_has_leader", "1 if the store has a leader.")
STORE_LEADER = _gauge("store_leader", "1 for the member that leads.", "member")
STORE_LEADER_CHANGES = _gauge("store_leader_changes", "Elections that this server saw since it started.")
STORE_TERM = _gauge("store_term", "The store's Raft term.")

METADATA_READ = _counter("metadata_read_bytes", "Bytes of metadata files read from storage.")
METADATA_WRITTEN = _counter("metadata_written_bytes", "Bytes of metadata files written to storage.")
CACHE = _tallies("metadata_cache", "Metadata files wanted: hit if they were at hand.", "result")
CACHE_HITS, CACHE_MISSES = CACHE.labels("hit"), CACHE.labels("miss")

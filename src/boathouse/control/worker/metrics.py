"""The worker's metrics. Labels are few and fixed: outcomes, never names of jobs or runs."""

from prometheus_client import CollectorRegistry, Counter, Gauge, ProcessCollector, start_http_server

from boathouse.kit.errors import ConfigurationError

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(f"boathouse_worker_{name}", text, labels, registry=REGISTRY)


def _gauge(name: str, text: str) -> Gauge:
    return Gauge(f"boathouse_worker_{name}", text, registry=REGISTRY)


SLOTS = _gauge("slots", "Attempts that may be under way at once.")
RUNNING = _gauge("attempts_running", "Attempts under way.")
CLAIMED = _counter("attempts_claimed", "Attempts begun.")
ENDED = _counter(
    "attempts_ended",
    "Attempts ended: succeeded, failed, timed-out, cancelled, handed-back, or lost to another worker.",
    "outcome",
)
BEATS_FAILED = _counter("beats_failed", "Beats that the database did not take.")
SPARE = _gauge("spare_processes", "Processes that wait for an attempt.")
QUEUE = _gauge("queue_runs", "Runs of all workspaces that wait and whose time has come.")
OLDEST = _gauge("queue_oldest_seconds", "How long the oldest of them waits.")
DELIVERIES = _counter("deliveries", "Tries to deliver a notification: sent, failed, or given-up.", "outcome")


def serve_metrics(host: str, port: int) -> int:
    """In a thread of its own, so that a worker that is busy is seen too; the port it is on."""
    try:
        server, _ = start_http_server(port, host, REGISTRY)
    except OSError as error:
        raise ConfigurationError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}.", hint="Give another --metrics-port."
        ) from error
    return server.server_port

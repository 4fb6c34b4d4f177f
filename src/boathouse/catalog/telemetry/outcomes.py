"""How a change ended, in one word for the log, the metrics and the traces."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum

from boathouse.catalog.errors import CommitFailed
from boathouse.catalog.telemetry.metrics import COMMIT_SECONDS, COMMITS
from boathouse.kit.errors import BoathouseError


class Outcome(StrEnum):
    APPLIED = "applied"
    CONFLICT = "conflict"
    """It changed meanwhile, or a requirement does not hold."""
    REJECTED = "rejected"
    UNKNOWN = "unknown"


def outcome_of(error: BaseException) -> Outcome:
    if isinstance(error, CommitFailed):
        return Outcome.CONFLICT
    if isinstance(error, BoathouseError) and (error.http_status < 500 or error.http_status == 503):
        return Outcome.REJECTED
    return Outcome.UNKNOWN


@contextmanager
def observed_commit() -> Generator[None]:
    """Time a change and count how it ended."""
    began, outcome = time.perf_counter(), Outcome.APPLIED
    try:
        yield
    except BaseException as error:
        outcome = outcome_of(error)
        raise
    finally:
        COMMITS.labels(outcome).inc()
        COMMIT_SECONDS.labels(outcome).observe(time.perf_counter() - began)

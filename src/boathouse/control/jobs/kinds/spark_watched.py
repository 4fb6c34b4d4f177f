"""What Spark does for an attempt, told as the attempt's progress, whatever kind of job it is."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict

from boathouse.control.jobs.kinds.kind import Attempt
from boathouse.engines.spark.attempts import session_id
from boathouse.engines.spark.watch import Watch
from boathouse.kit.access import SparkAccess


@contextmanager
def watched(attempt: Attempt, access: SparkAccess) -> Generator[Watch]:
    """While the block runs. Each look tells only what is new, so that none may be left out."""
    session = session_id(attempt.run_id, attempt.number)
    with Watch(access.ui, session, lambda progress: attempt.progress(asdict(progress), at_once=True)) as watch:
        yield watch

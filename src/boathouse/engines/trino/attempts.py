"""Sessions of attempts at a run: each names itself, so that whoever comes next can end what it left running."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from boathouse.engines.statements import Statement
from boathouse.engines.trino.access import TrinoAccess
from boathouse.engines.trino.coordinator import SOURCE, Coordinator
from boathouse.engines.trino.literals import literal
from boathouse.engines.trino.query import Query
from boathouse.kit.errors import BoathouseError, Cancelled, Unavailable

_LEFT = Statement(
    "SELECT query_id FROM system.runtime.queries"
    " WHERE starts_with(source, :run) AND source <> :own AND state NOT IN ('FINISHED', 'FAILED')"
)
# A CALL takes no parameters.
_KILL = "CALL system.runtime.kill_query(query_id => {0}, message => 'Another attempt takes its place.')"
# What is being committed is let finish first.
_PATIENCE = 60.0


@contextmanager
def attempt_session(
    access: TrinoAccess, run_id: str, number: int, warn: Callable[[str], None]
) -> Generator[Coordinator]:
    """A session for one attempt. What those before it may have left running is ended first; a transaction ends with it."""
    run = f"{SOURCE}/{run_id}/"
    with Coordinator(access, source=f"{run}{number}") as coordinator:
        if number > 1:
            _end_others(coordinator, run, f"{run}{number}", warn)
        try:
            yield coordinator
        finally:
            if coordinator.session.is_in_transaction:
                _do(coordinator, Statement("ROLLBACK"))


def _end_others(coordinator: Coordinator, run: str, own: str, warn: Callable[[str], None]) -> None:
    deadline = time.monotonic() + _PATIENCE
    try:
        while left := _left(coordinator, run, own):
            _refuse_after(deadline, left)
            for query_id in left:
                _kill(coordinator, query_id)
            time.sleep(0.2)
    except (Cancelled, Unavailable):
        raise
    except BoathouseError as error:
        # Not everybody may see what runs. Trino ends what nobody asks about any more, after some minutes.
        warn(f"Whether an earlier attempt is still at work on Trino cannot be seen: {error}")


def _refuse_after(deadline: float, left: list[str]) -> None:
    if time.monotonic() > deadline:
        raise Unavailable(
            f"What an earlier attempt began is still at work on Trino: {', '.join(left)}.",
            hint="Look at it in Trino, and try again when it has ended.",
        )


def _left(coordinator: Coordinator, run: str, own: str) -> list[str]:
    with Query(coordinator, _LEFT, {"run": run, "own": own}) as query:
        return [row["query_id"] for batch in query.batches() for row in batch.to_pylist()]


def _kill(coordinator: Coordinator, query_id: str) -> None:
    try:
        _do(coordinator, Statement(_KILL.format(literal(query_id))))
    except (Cancelled, Unavailable):
        raise
    except BoathouseError:
        # It ended by itself meanwhile; if not, it is found again.
        return


def _do(coordinator: Coordinator, statement: Statement) -> None:
    with Query(coordinator, statement) as query:
        query.finish()

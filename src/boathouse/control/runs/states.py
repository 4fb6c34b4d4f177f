"""The states of a run and the ways between them. Nothing else may change a state."""

from collections.abc import Mapping
from enum import StrEnum


class State(StrEnum):
    PENDING = "pending"
    """Waits for a worker, for room in the quotas, or for its next try."""
    STARTING = "starting"
    """A worker has it."""
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed-out"


ACTIVE = frozenset({State.STARTING, State.RUNNING})
ENDED = frozenset({State.SUCCEEDED, State.FAILED, State.CANCELLED, State.TIMED_OUT})
MAY_BE_TRIED_AGAIN = ENDED - {State.SUCCEEDED}

WAYS: Mapping[State, frozenset[State]] = {
    # Claimed, or stopped before anybody had it.
    State.PENDING: frozenset({State.STARTING, State.CANCELLED}),
    # Back to pending: its worker is gone or hands it back, or it failed and is tried again.
    State.STARTING: frozenset({State.RUNNING, State.PENDING, *ENDED}),
    State.RUNNING: frozenset({State.PENDING, *ENDED}),
    State.SUCCEEDED: frozenset(),
    # Somebody asks for another attempt.
    State.FAILED: frozenset({State.PENDING}),
    State.CANCELLED: frozenset({State.PENDING}),
    State.TIMED_OUT: frozenset({State.PENDING}),
}


def ways_to(state: State) -> frozenset[State]:
    """The states from which one gets to this."""
    return frozenset(origin for origin, ends in WAYS.items() if state in ends)

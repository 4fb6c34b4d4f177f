"""A clock that only runs forward, for a worker and the processes of its runs, which are on one machine.

It goes on while the machine sleeps, for leases do so too: after an hour with the lid closed another machine may have the run.
"""

import time

# On a Mac the other one counts sleep.
_CLOCK: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def machine_time() -> float:
    return time.clock_gettime(_CLOCK)


def seconds_asleep() -> float:
    """Since its start, where that can be told: the difference of two looks is what was slept between them."""
    return machine_time() - time.monotonic()

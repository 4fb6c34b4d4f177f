"""A process that others of its user cannot look into, as far as the system lets it."""

import ctypes
import sys

# As prctl(2) has it.
_PR_SET_DUMPABLE = 4


def close_to_others() -> None:
    """Its variables, memory and open files are for root alone then, and it leaves no core. What it starts is open again.

    Whatever may read the same files can still read those, so this keeps nobody out who has the same rights to them.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)

"""What a program left running when it ended. The next attempt begins with nothing beside it."""

import os
import time
from contextlib import suppress

import psutil

# Between two looks at whether a killed one is gone, and how long it is waited for: one that hangs in the kernel is
# not worth an attempt that never ends.
_LOOK = 0.005
_PATIENCE = 10.0


def end_leftovers() -> None:
    """Kill whatever else is in this process's group, and see it gone. Only the group's leader may ask for it."""
    own = os.getpid()
    if os.getpgrp() != own:
        return
    left = [process for process in psutil.process_iter() if process.pid != own and _is_in(own, process.pid)]
    for process in left:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.kill()
    deadline = time.monotonic() + _PATIENCE
    # A kill is sent, not done, when the call returns.
    while any(_runs(process) for process in left) and time.monotonic() < deadline:
        time.sleep(_LOOK)


def _is_in(group: int, pid: int) -> bool:
    with suppress(ProcessLookupError, PermissionError):  # gone already, or not ours
        return os.getpgid(pid) == group
    return False


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return process.status() != psutil.STATUS_ZOMBIE
    return False

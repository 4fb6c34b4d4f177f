"""The directory in which an attempt works. It is locked as long as its process lives, so that others know when it is over."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "boathouse-attempt-"
_LOCK = ".alive"


@contextmanager
def scratch_directory() -> Generator[str]:
    """Gone at the end; a process that is killed leaves it for `sweep`."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as scratch:
        # Programs that it starts do not inherit this, so that none of them can outlive the lock's meaning.
        lock = os.open(Path(scratch) / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield scratch
        finally:
            os.close(lock)


def sweep(directory: Path | None = None) -> int:
    """Remove what processes left that are surely gone; how many there were. Whatever is not ours is left alone."""
    found = Path(directory or tempfile.gettempdir()).glob(f"{_PREFIX}*")
    return sum(_swept(scratch) for scratch in found)


def _swept(scratch: Path) -> bool:
    with suppress(OSError):  # somebody else's, or another worker sweeps it
        if scratch.is_symlink() or scratch.stat().st_uid != os.geteuid():
            return False
        # One without the file is just being made, or is of an older version.
        lock = os.open(scratch / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(scratch)
        finally:
            os.close(lock)
        return True
    return False

"""Files written so that a crash leaves the old content or the new, never half of it."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PRIVATE = 0o600
PUBLIC = 0o644


def write_atomically(path: Path, content: bytes, *, mode: int = PUBLIC) -> None:
    with written_atomically(path, mode=mode) as file:
        file.write(content)


@contextmanager
def written_atomically(path: Path, *, mode: int = PUBLIC) -> Generator[BinaryIO]:
    """Write to a neighbour, flush it to disk, then rename over `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    neighbour = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(neighbour, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        neighbour.replace(path)
    except BaseException:
        neighbour.unlink(missing_ok=True)
        raise


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read: for secrets. A directory that was there stays as its owner has it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(path, content, mode=PRIVATE)


def create_private(path: Path, content: bytes) -> None:
    """Like `write_private`, but only if there is none: FileExistsError otherwise. Of many at once one succeeds."""
    neighbour = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    write_private(neighbour, content)
    try:
        # By a link: whoever sees the file sees all of it.
        path.hardlink_to(neighbour)
    finally:
        neighbour.unlink()


def private_directory(path: Path) -> Path:
    """Make a directory that only its owner can enter; one of ours that lay open is closed."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path

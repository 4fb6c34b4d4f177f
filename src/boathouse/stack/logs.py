"""Log files: services write to them directly, so that they go on when the supervisor dies."""

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.files import PRIVATE
from boathouse.kit.settings import LogSettings

_BLOCK = 1 << 16
_POLL = 0.2


@dataclass(frozen=True)
class LogFile:
    path: Path
    settings: LogSettings

    def open(self) -> int:
        """A descriptor to append to, for a process to be started with."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, PRIVATE)

    def rotate_if_large(self) -> None:
        """Copy the file aside and empty it.

        It is not renamed, because the process keeps writing to the file it has open. What it writes between the copy and
        the emptying is lost: a line or so every few megabytes.
        """
        limit = self.settings.rotate_mb * 1_000_000
        if not self.path.exists() or self.path.stat().st_size < limit:
            return
        for number in range(self.settings.keep - 1, 0, -1):
            if self._kept(number).exists():
                self._kept(number).replace(self._kept(number + 1))
        if self.settings.keep:
            shutil.copy2(self.path, self._kept(1))
        os.truncate(self.path, 0)

    def _kept(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def last_lines(path: Path, count: int, *, end: int | None = None) -> list[str]:
    """The last lines before `end`, read backwards so that a large log costs no more than a small one."""
    if count <= 0 or not path.exists():
        return []
    with path.open("rb") as file:
        position = end if end is not None else file.seek(0, os.SEEK_END)
        tail = b""
        while position > 0 and tail.count(b"\n") <= count:
            step = min(_BLOCK, position)
            position = file.seek(position - step)
            tail = file.read(step) + tail
    return tail.decode(errors="replace").splitlines()[-count:]


def follow(path: Path, position: int) -> Iterator[str]:
    """What comes after `position`, for ever; goes on at the start when the log is rotated."""
    while True:
        size = size_of(path)
        position = 0 if size < position else position
        if size > position:
            with path.open("rb") as file:
                file.seek(position)
                text = file.read(size - position)
            position += len(text)
            yield text.decode(errors="replace")
        else:
            time.sleep(_POLL)

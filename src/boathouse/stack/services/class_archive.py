"""Spark's parsed classes, written by Java when it first stops and shared by every later start of the user's."""

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

# As long as some lakehouse of the user's starts with it now and then, an archive stays.
_UNUSED_SECONDS = 30 * 24 * 3600


@dataclass(frozen=True)
class ClassArchive:
    shared: Path
    """Where every lakehouse looks for it."""
    fresh: Path
    """Where Java writes it: never half of one where others look."""

    def path(self) -> Path | None:
        """What Java is to be told: the archive to use, or to write; None if writing it took too long before."""
        if self.shared.is_file():
            return self.shared
        return None if self._given_up.exists() else self.fresh

    def settle(self, *, cleanly: bool) -> None:
        """After Java's end: share what it wrote, if it could write all of it."""
        if not self.fresh.is_file():
            return
        self.shared.parent.mkdir(parents=True, exist_ok=True)
        if not cleanly:
            # It was still writing when it was killed. It would be again each time, so this machine does without.
            self._given_up.touch()
            return
        neighbour = self.shared.with_name(f".{self.shared.name}.{os.getpid()}")
        shutil.move(self.fresh, neighbour)
        neighbour.replace(self.shared)
        self._remove_unused()

    @property
    def _given_up(self) -> Path:
        return self.shared.with_suffix(".given-up")

    def _remove_unused(self) -> None:
        for archive in self.shared.parent.glob(f"*{self.shared.suffix}"):
            if archive != self.shared and time.time() - archive.stat().st_atime > _UNUSED_SECONDS:
                archive.unlink(missing_ok=True)

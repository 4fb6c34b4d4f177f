"""The cache on disk: `<sha256>/<file>`, put there whole, checked whenever it may have changed.

Beside each file lies a note of what its inode looked like when its bytes were last found right. As long as the inode
still looks so the bytes are not read again: hashing a hundred megabytes at each start would cost a second.
"""

import contextlib
import fcntl
import hashlib
import json
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

from boathouse.kit.errors import ConfigurationError, NotFound
from boathouse.kit.files import write_atomically
from boathouse.stack.artifacts.lock import Artifact


@dataclass(frozen=True)
class ArtifactCache:
    root: Path
    """Shared by every checkout and process of this user."""

    def path(self, artifact: Artifact) -> Path:
        return self.root / artifact.sha256 / artifact.file_name

    def part(self, artifact: Artifact) -> Path:
        """Where a file grows while it is being fetched."""
        return self.root / artifact.sha256 / f"{artifact.file_name}.part"

    def find(self, artifact: Artifact) -> Path | None:
        """The cached file if its bytes are right, else None; a damaged one counts as missing."""
        path = self.path(artifact)
        try:
            state = _inode_state(path)
        except OSError:
            return None
        if self._verified_state(artifact) == state:
            return path
        if path.stat().st_size != artifact.size or sha256_of(path) != artifact.sha256:
            return None
        self._note(artifact, state)
        return path

    def adopt(self, artifact: Artifact) -> Path:
        """Give a fetched and verified part its final name."""
        path = self.path(artifact)
        self.part(artifact).replace(path)
        self._note(artifact, _inode_state(path))
        return path

    def missing(self, artifacts: Iterable[Artifact]) -> list[Artifact]:
        return [artifact for artifact in artifacts if self.find(artifact) is None]

    def require(self, artifacts: Iterable[Artifact]) -> list[Path]:
        """The files, all of them, or an error that names those that are not there."""
        wanted = list(artifacts)
        missing = self.missing(wanted)
        if missing:
            names = ", ".join(artifact.coordinates for artifact in missing)
            raise NotFound(
                f"Not in the cache {self.root}, or damaged there: {names}.",
                hint="Run `boathouse up` once with a network and artifacts.offline = false.",
            )
        return [self.path(artifact) for artifact in wanted]

    @contextlib.contextmanager
    def claim(self, artifact: Artifact) -> Generator[None]:
        """Let one process at a time fetch a file; the others wait and then find it."""
        directory = self.root / artifact.sha256
        try:
            directory.mkdir(parents=True, exist_ok=True)
            lock = (directory / ".lock").open("a")
        except OSError as error:
            raise ConfigurationError(
                f"The cache {self.root} may not be written: {error.strerror}.",
                hint="Set BOATHOUSE_CACHE to a directory of your own.",
            ) from error
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _note_path(self, artifact: Artifact) -> Path:
        return self.root / artifact.sha256 / f"{artifact.file_name}.verified"

    def _verified_state(self, artifact: Artifact) -> list[int] | None:
        try:
            return json.loads(self._note_path(artifact).read_text())
        except (FileNotFoundError, ValueError):
            return None

    def _note(self, artifact: Artifact, state: list[int]) -> None:
        # In a cache that may only be read the bytes are simply hashed again next time.
        with contextlib.suppress(OSError):
            write_atomically(self._note_path(artifact), json.dumps(state).encode())


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _inode_state(path: Path) -> list[int]:
    """Changes whenever the content may have: nobody can set an inode's change time back."""
    stat = path.stat()
    return [stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]

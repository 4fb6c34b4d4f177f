"""Fetching what the lock names: in parallel, resumed where it stopped, and refused unless the checksum is right.

Proxies and certificate authorities come from the environment (HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE).
"""

import errno
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import httpx
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from boathouse.kit.errors import BoathouseError, ConfigurationError, WorkFailed
from boathouse.kit.settings import ArtifactSettings
from boathouse.stack.artifacts.cache import ArtifactCache, sha256_of
from boathouse.stack.artifacts.lock import Artifact
from boathouse.stack.artifacts.mirror import Mirror, TransferInterrupted

_ATTEMPTS = 4


class Progress(Protocol):
    """Who watches the files arrive. Called from several threads."""

    def begin(self, artifact: Artifact) -> None: ...
    def at(self, artifact: Artifact, size: int) -> None: ...
    def done(self, artifact: Artifact) -> None: ...


class Unwatched:
    def begin(self, artifact: Artifact) -> None: ...
    def at(self, artifact: Artifact, size: int) -> None: ...
    def done(self, artifact: Artifact) -> None: ...


@dataclass(frozen=True)
class Fetcher:
    cache: ArtifactCache
    settings: ArtifactSettings
    progress: Progress = field(default_factory=Unwatched)
    wait_seconds: float = 0.5
    """Before the second attempt; each further wait is twice as long."""

    def fetch(self, artifacts: Iterable[Artifact]) -> list[Path]:
        """All the files, from the cache or the mirror, in the order asked for."""
        wanted = list(artifacts)
        missing = self.cache.missing(wanted)
        if missing and self.settings.offline:
            return self.cache.require(wanted)
        if missing:
            self._fetch_all(missing)
        return [self.cache.path(artifact) for artifact in wanted]

    def _fetch_all(self, artifacts: Sequence[Artifact]) -> None:
        stop = threading.Event()
        with httpx.Client(follow_redirects=True, timeout=httpx.Timeout(30, connect=10)) as http:
            mirror = Mirror(self.settings.mirror, http)
            with ThreadPoolExecutor(self.settings.parallel) as pool:
                try:
                    list(pool.map(partial(self._fetch_one, mirror, stop), artifacts))
                finally:
                    stop.set()
                    pool.shutdown(cancel_futures=True)

    def _fetch_one(self, mirror: Mirror, stop: threading.Event, artifact: Artifact) -> None:
        with self.cache.claim(artifact):
            if self.cache.find(artifact) is None:
                self.progress.begin(artifact)
                self._transfer(mirror, artifact, stop)
                self.progress.done(artifact)

    def _transfer(self, mirror: Mirror, artifact: Artifact, stop: threading.Event) -> None:
        part = self.cache.part(artifact)
        resumed = part.exists()
        try:
            self._download(mirror, artifact, stop)
            if resumed and sha256_of(part) != artifact.sha256:
                # The beginning may be another mirror's, or torn by a power cut: once more from nothing.
                part.unlink()
                self._download(mirror, artifact, stop)
            _verify(part, artifact, mirror)
            self.cache.adopt(artifact)
        except OSError as error:
            raise _disk_error(error, self.cache.root, artifact) from error

    def _download(self, mirror: Mirror, artifact: Artifact, stop: threading.Event) -> None:
        for attempt in Retrying(
            retry=retry_if_exception_type(TransferInterrupted),
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_exponential(self.wait_seconds, min=0),
            reraise=True,
        ):
            with attempt:
                self._download_rest(mirror, artifact, stop)

    def _download_rest(self, mirror: Mirror, artifact: Artifact, stop: threading.Event) -> None:
        """Append to the part what it still lacks."""
        part = self.cache.part(artifact)
        start = part.stat().st_size if part.exists() else 0
        if start > artifact.size:
            part.unlink()
            start = 0
        if start == artifact.size:
            return
        with mirror.open(artifact, start) as body, part.open("r+b" if body.start else "wb") as file:
            file.seek(body.start)
            for chunk in body.chunks:
                if stop.is_set():
                    raise WorkFailed(f"The fetch of {artifact.coordinates} was stopped.")
                file.write(chunk)
                self.progress.at(artifact, file.tell())
                if file.tell() > artifact.size:
                    break


def _verify(part: Path, artifact: Artifact, mirror: Mirror) -> None:
    actual = sha256_of(part)
    if actual != artifact.sha256:
        size = part.stat().st_size
        part.unlink()
        raise WorkFailed(
            f"{mirror.shown(artifact)} is not the file that was locked: {size} bytes with sha256 {actual}, "
            f"not {artifact.size} with {artifact.sha256}. It was thrown away.",
            hint="The mirror or a proxy sends something else: try another with artifacts.mirror.",
        )


def _disk_error(error: OSError, cache: Path, artifact: Artifact) -> BoathouseError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return WorkFailed(
            f"The disk of {cache} is full: {artifact.file_name} needs {artifact.size / 1e6:.0f} MB.",
            hint="Free some space, or set BOATHOUSE_CACHE to a directory on another disk.",
        )
    return ConfigurationError(
        f"{artifact.file_name} cannot be written to the cache {cache}: {error.strerror}.",
        hint="Set BOATHOUSE_CACHE to a directory of your own.",
    )

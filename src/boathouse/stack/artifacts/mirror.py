"""A Maven repository to read from: over HTTP, or a directory given as file://."""

import contextlib
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx

from boathouse.kit.errors import BoathouseError, Forbidden, NotFound, Unavailable
from boathouse.stack.artifacts.lock import Artifact

_CHUNK = 1 << 18


class TransferInterrupted(Unavailable):
    """The transfer stopped on the way; what came is kept, and asking again goes on from there."""


@dataclass(frozen=True)
class Body:
    """What a mirror sends: the bytes from `start` on, which is 0 if it cannot begin in the middle."""

    start: int
    chunks: Iterable[bytes]


@dataclass(frozen=True)
class Mirror:
    root: str
    http: httpx.Client

    def url(self, artifact: Artifact) -> str:
        return f"{self.root}/{artifact.path}"

    def shown(self, artifact: Artifact) -> str:
        """The address as it may be shown to people."""
        return without_password(self.url(artifact))

    @contextlib.contextmanager
    def open(self, artifact: Artifact, start: int) -> Generator[Body]:
        if self.root.startswith("file://"):
            with self._open_file(artifact, start) as body:
                yield body
            return
        try:
            with self._open_url(artifact, start) as body:
                yield body
        except httpx.TransportError as error:
            raise TransferInterrupted(
                f"{self.shown(artifact)} could not be fetched: {error or type(error).__name__}.",
                hint="Check the network and HTTPS_PROXY, or set artifacts.mirror to a repository you can reach.",
            ) from error

    @contextlib.contextmanager
    def _open_file(self, artifact: Artifact, start: int) -> Generator[Body]:
        path = Path(unquote(urlsplit(self.root).path)) / artifact.path
        try:
            file = path.open("rb")
        except FileNotFoundError:
            raise _not_there(artifact, str(path)) from None
        with file:
            file.seek(start)
            yield Body(start, iter(lambda: file.read(_CHUNK), b""))

    @contextlib.contextmanager
    def _open_url(self, artifact: Artifact, start: int) -> Generator[Body]:
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        with self.http.stream("GET", self.url(artifact), headers=headers) as response:
            if not response.is_success:
                raise _refusal(artifact, self.shown(artifact), response.status_code)
            partial = response.status_code == HTTPStatus.PARTIAL_CONTENT
            # As they come, not gathered into larger pieces: what has arrived when the line breaks is kept.
            yield Body(start if partial else 0, response.iter_raw())


def without_password(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _refusal(artifact: Artifact, url: str, status: int) -> BoathouseError:
    if status == HTTPStatus.NOT_FOUND:
        return _not_there(artifact, url)
    if status >= 500 or status == HTTPStatus.TOO_MANY_REQUESTS:
        return TransferInterrupted(
            f"{url} answered {status}.", hint="Try again, or set artifacts.mirror to another one."
        )
    return Forbidden(f"{url} answered {status}.", hint="Check what the mirror and the proxy allow you to read.")


def _not_there(artifact: Artifact, place: str) -> NotFound:
    return NotFound(
        f"The mirror does not have {artifact.coordinates}: {place} is not there.",
        hint="Set artifacts.mirror to a repository that holds it, such as https://repo1.maven.org/maven2.",
    )

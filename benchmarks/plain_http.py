"""A plain HTTP client: the same few lines for every server, so that only the servers differ."""

import json
import socket
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import urlsplit

Json = dict[str, Any]


class Refused(Exception):  # noqa: N818 - an answer, not an accident
    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status}: {body[:300].decode(errors='replace')}")
        self.status = status
        self.exists = status == HTTPStatus.CONFLICT and b"AlreadyExists" in body


class PlainClient:
    """One connection, kept open. Not to be shared by threads."""

    def __init__(self, uri: str, headers: dict[str, str]) -> None:
        self.uri = uri
        self.headers = headers
        self.times: list[float] = []
        """How long each request took that was timed, in seconds."""
        place = urlsplit(uri)
        self.root = place.path.rstrip("/")
        self._connection = socket.create_connection((place.hostname, place.port), timeout=120)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._connection.makefile("rb")
        sent = {"Host": place.netloc, "Content-Type": "application/json", **headers}
        self._lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())

    def again(self) -> Self:
        """The same with a connection of its own."""
        return type(self)(self.uri, self.headers)

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        text = self.exchange(method, path, body)
        return json.loads(text) if text else {}

    def timed(self, method: str, path: str, body: Json | None = None) -> None:
        """Nothing is made of the answer: what a client does with it is the client's speed, not the server's."""
        began = time.perf_counter()
        self.exchange(method, path, body)
        self.times.append(time.perf_counter() - began)

    def exchange(self, method: str, path: str, body: Json | None = None) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self._lines}Content-Length: {len(content)}\r\n\r\n"
        self._connection.sendall(head.encode() + content)
        status, text = self._answer()
        if status >= HTTPStatus.MULTIPLE_CHOICES:
            raise Refused(status, text)
        return text

    def _answer(self) -> tuple[int, bytes]:
        """As little as an answer needs to be read: http.client takes longer over its headers than a server does."""
        status = int(self._answers.readline().split(b" ", 2)[1])
        length: int | None = 0
        while (line := self._answers.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif name.lower() == b"transfer-encoding":
                length = None
        return status, b"".join(self._chunks()) if length is None else self._answers.read(length)

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._answers.readline(), 16):
            yield self._answers.read(size)
            self._answers.readline()
        self._answers.readline()

"""A plain HTTP client of a REST catalog: the same few lines for every server, so that only the servers differ."""

import json
import re
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

Json = dict[str, Any]
_NEXT_PAGE = re.compile(rb'"next-page-token"\s*:\s*"([^"]+)"')
SCHEMA: Json = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "id", "required": True, "type": "long"},
        {"id": 2, "name": "at", "required": False, "type": "timestamptz"},
        {"id": 3, "name": "name", "required": False, "type": "string"},
        {"id": 4, "name": "amount", "required": False, "type": "decimal(10, 2)"},
    ],
}


class Refused(Exception):  # noqa: N818 - an answer, not an accident
    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status}: {body[:300].decode(errors='replace')}")
        self.status = status
        self.exists = status == HTTPStatus.CONFLICT and b"AlreadyExists" in body


@dataclass
class Client:
    """One connection, kept open. Not to be shared by threads."""

    uri: str
    warehouse: str | None
    headers: dict[str, str]
    times: list[float] = field(default_factory=list[float])
    """How long each request took that was timed, in seconds."""

    def __post_init__(self) -> None:
        place = urlsplit(self.uri)
        self._root = place.path.rstrip("/")
        self._connection = socket.create_connection((place.hostname, place.port), timeout=120)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._connection.makefile("rb")
        sent = {"Host": place.netloc, "Content-Type": "application/json", **self.headers}
        self._lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        asked = f"/v1/config?warehouse={self.warehouse}" if self.warehouse else "/v1/config"
        config = self.call("GET", self._root + asked)
        prefix = {**config["defaults"], **config["overrides"]}.get("prefix")
        self._base = f"{self._root}/v1/{prefix}" if prefix else f"{self._root}/v1"

    def again(self) -> "Client":
        return Client(self.uri, self.warehouse, self.headers)

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        text = self._exchange(method, path, body)
        return json.loads(text) if text else {}

    def timed(self, method: str, path: str, body: Json | None = None) -> None:
        """Nothing is made of the answer: what a client does with it is the client's speed, not the server's."""
        began = time.perf_counter()
        self._exchange(method, path, body)
        self.times.append(time.perf_counter() - began)

    def _exchange(self, method: str, path: str, body: Json | None) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self._lines}Content-Length: {len(content)}\r\n\r\n"
        self._connection.sendall(head.encode() + content)
        status, text = self._answer()
        if status >= 300:
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

    def create_namespace(self, name: str) -> None:
        self.call("POST", f"{self._base}/namespaces", {"namespace": [name], "properties": {}})

    def create(self, namespace: str, table: str) -> None:
        # Iceberg's own client always says whether it stages, and Nessie refuses a request that does not.
        body: Json = {"name": table, "schema": SCHEMA, "stage-create": False}
        self.timed("POST", f"{self._base}/namespaces/{namespace}/tables", body)

    def load(self, namespace: str, table: str) -> None:
        self.timed("GET", self._table(namespace, table))

    def snapshots(self, namespace: str, table: str) -> int:
        return len(self.call("GET", self._table(namespace, table))["metadata"]["snapshots"])

    def commit(self, namespace: str, table: str, updates: Sequence[Json], requirements: Sequence[Json] = ()) -> None:
        self.timed(
            "POST", self._table(namespace, table), {"requirements": list(requirements), "updates": list(updates)}
        )

    def list(self, namespace: str) -> int:
        """How many tables there are, by as many pages as the server makes of them."""
        found, query = 0, ""
        while True:
            page = self._exchange("GET", f"{self._base}/namespaces/{namespace}/tables{query}", None)
            found += page.count(b'"name"')
            token = _NEXT_PAGE.search(page)
            if token is None:
                return found
            query = f"?pageToken={token[1].decode()}"

    def _table(self, namespace: str, table: str) -> str:
        return f"{self._base}/namespaces/{namespace}/tables/{table}"

"""A Maven repository on loopback that can be told to misbehave."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Repository:
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    cut_after: int | None = None
    """The next answer breaks off after so many bytes."""
    refusals: int = 0
    """So many answers are 503 first."""
    ignores_ranges: bool = False
    requests: list[tuple[str, str | None]] = field(default_factory=list[tuple[str, str | None]])
    """What was asked for, and with which Range."""
    url: str = ""

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = handler.headers.get("Range")
        self.requests.append((handler.path, asked))
        content = self.files.get(handler.path.removeprefix("/"))
        if self.refusals:
            self.refusals -= 1
            handler.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
        elif content is None:
            handler.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._send(handler, content, asked)

    def _send(self, handler: BaseHTTPRequestHandler, content: bytes, asked: str | None) -> None:
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and not self.ignores_ranges else 0
        handler.send_response(HTTPStatus.PARTIAL_CONTENT if start else HTTPStatus.OK)
        handler.send_header("Content-Length", str(len(content) - start))
        handler.end_headers()
        body, self.cut_after = content[start:][: self.cut_after], None
        handler.wfile.write(body)
        handler.close_connection = True


@contextmanager
def serving(repository: Repository) -> Generator[None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            repository.answer(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        repository.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield
        finally:
            server.shutdown()
            thread.join()

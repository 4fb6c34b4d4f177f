"""A small HTTP server that answers as it is told and remembers what it was asked."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Sent:
    """An answer. One that is cut off says that it is longer than it is, and then closes the connection."""

    status: int = 200
    content: bytes = b""
    kind: str = "application/json"
    cut: bool = False


@dataclass
class SmallServer:
    url: str = ""
    answers: list[Sent] = field(default_factory=list[Sent])
    asked: list[Asked] = field(default_factory=list[Asked])

    def tells(self, *told: Any) -> None:
        self.answers += [Sent(content=json.dumps(one).encode()) for one in told]

    def refuses(self, status: int, **error: Any) -> None:
        self.answers.append(Sent(status, json.dumps({"error": {"request_id": "r-1", **error}}).encode()))

    def sends(self, text: str, *, cut: bool = False) -> None:
        self.answers.append(Sent(content=text.encode(), kind="text/event-stream", cut=cut))


@contextmanager
def small_server() -> Generator[SmallServer]:
    told = SmallServer()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(told)) as server:
        told.url = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield told
        finally:
            server.shutdown()
            thread.join()


def _handler(told: SmallServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            told.asked.append(Asked(self.command, self.path, dict(self.headers), body))
            sent = told.answers.pop(0)
            self.send_response(sent.status)
            self.send_header("Content-Type", sent.kind)
            self.send_header("Content-Length", str(len(sent.content) + sent.cut))
            self.end_headers()
            self.wfile.write(sent.content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler

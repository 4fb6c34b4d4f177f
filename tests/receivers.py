"""Who notifications are sent to: a webhook's receiver and a mail server, both real, on free ports of loopback."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from standardwebhooks import Webhook

from tests.smtp_program import PASSWORD

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
__all__ = ["PASSWORD", "SECRET", "Mailbox", "Receiver", "lineage_receiver", "mail_server", "webhook_receiver"]


@dataclass
class Receiver:
    """Keeps what it is sent, if the library that receivers use takes the signature."""

    url: str = ""
    answers: list[int] = field(default_factory=list[int])
    """To the next calls; 204 once these are used up."""
    got: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    """The id and the body of each call, whatever it was answered."""

    def called(self, headers: dict[str, str], body: bytes) -> int:
        self.got.append((headers["webhook-id"], Webhook(SECRET).verify(body, headers)))
        return self.answers.pop(0) if self.answers else 204

    @property
    def types(self) -> list[str]:
        return [body["type"] for _, body in self.got]


class LineageReceiver(Receiver):
    """Wants a key, and answers a question without parameters as Marquez does."""

    def called(self, headers: dict[str, str], body: bytes) -> int:
        if headers.get("authorization") != f"Bearer {SECRET}":
            return 401
        if not body:
            return 400
        self.got.append(("", json.loads(body)))
        return self.answers.pop(0) if self.answers else 201


@contextmanager
def webhook_receiver() -> Generator[Receiver]:
    with _serving(Receiver()) as receiver:
        yield receiver


@contextmanager
def lineage_receiver() -> Generator[Receiver]:
    with _serving(LineageReceiver()) as receiver:
        yield receiver


@contextmanager
def _serving(receiver: Receiver) -> Generator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            status = receiver.called({name.lower(): value for name, value in self.headers.items()}, body)
            said = b"" if status == 204 else f"no: {SECRET}\n".encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{receiver.url}/elsewhere")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST  # noqa: N815 - the base's name

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
            """Nothing: the test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook/"
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass(frozen=True)
class Mailbox:
    directory: Path
    port: int

    @property
    def authority(self) -> str:
        return (self.directory / "authority.pem").read_text()

    @property
    def got(self) -> list[EmailMessage]:
        """What was sent to it, in that order."""
        return [_parsed(path.read_bytes()) for path in sorted(self.directory.glob("*.eml"))]


@contextmanager
def mail_server(security: str = "starttls") -> Generator[Mailbox]:
    """It asks for a login, in clear only if there is no other way."""
    program = Path(__file__).with_name("smtp_program.py")
    with tempfile.TemporaryDirectory(prefix="boathouse-mail-") as directory:
        # A process of its own: what it warns of is nothing of ours.
        process = subprocess.Popen([sys.executable, program, directory, security], stdout=subprocess.PIPE)
        assert process.stdout is not None
        try:
            yield Mailbox(Path(directory), int(process.stdout.readline()))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def _parsed(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message

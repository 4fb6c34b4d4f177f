"""Small servers that speak the protocols of ClickHouse, Trino and Snowflake, as their documents describe them.

They are not those systems: too large for a test, or to be had only as a service. What a test shows against them is that
a connection speaks the protocol and understands each refusal, not that some version of the system agrees.
"""

import base64
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import jwt

PASSWORD = "the-oars-are-under-the-boat"
ACCENTED = "die-Ruder-sind-über-Bord"
"""Another, with a letter that is not ASCII."""
Answer = tuple[int, Mapping[str, str], str]


class Spoken(BaseHTTPRequestHandler):
    """Answers with what `answer` returns."""

    def answer(self, method: str, path: str, body: str) -> Answer:
        raise NotImplementedError

    def do_GET(self) -> None:
        self._respond("GET")

    def do_POST(self) -> None:
        self._respond("POST")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Nothing: the test's output is its own."""

    def _respond(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        status, headers, content = self.answer(method, self.path, body)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content.encode()))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content.encode())


@contextmanager
def spoken(protocol: type[Spoken]) -> Generator[str]:
    """The address of a server that speaks it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), protocol)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class ClickHouseSpoken(Spoken):
    def answer(self, method: str, path: str, body: str) -> Answer:
        if path == "/ping":
            return 200, {}, "Ok.\n"
        # Read byte by byte; ClickHouse takes it for UTF-8.
        key = self.headers["X-ClickHouse-Key"].encode("latin-1").decode()
        if key not in {PASSWORD, ACCENTED}:
            said = f"Code: 516. DB::Exception: default: Authentication failed with {key}."
            return 403, {"X-ClickHouse-Exception-Code": "516"}, said
        if self.headers.get("X-ClickHouse-Database", "default") != "default":
            return 404, {"X-ClickHouse-Exception-Code": "81"}, "Code: 81. DB::Exception: Database none does not exist."
        return 200, {}, {"SELECT version()": "26.9.1.1\n"}.get(body, "12\n")


class TrinoSpoken(Spoken):
    def answer(self, method: str, path: str, body: str) -> Answer:
        if path == "/v1/info":
            return 200, {}, json.dumps({"nodeVersion": {"version": "476"}, "coordinator": True, "starting": False})
        login = base64.b64encode(f"reader:{PASSWORD}".encode()).decode()
        if self.headers.get("Authorization") != f"Basic {login}":
            return 401, {"WWW-Authenticate": "Basic"}, f"Access Denied: {self.headers.get('Authorization')}"
        if path == "/v1/statement":
            # Elsewhere on purpose: the secret may not be sent there.
            following = f"http://elsewhere.invalid/v1/statement/executing/{body.partition(' ')[0]}/y/1"
            return 200, {}, json.dumps({"id": "q1", "nextUri": following, "stats": {"state": "QUEUED"}})
        if "/SHOW/" in path and self.headers["X-Trino-Catalog"] == "none":
            error = {"message": "line 1:1: Catalog 'none' not found", "errorName": "CATALOG_NOT_FOUND"}
            return 200, {}, json.dumps({"id": "q1", "error": error, "stats": {"state": "FAILED"}})
        column = {"name": "Schema", "typeSignature": {"rawType": "varchar", "arguments": []}}
        told = {"columns": [column], "data": [["north"], ["south"]], "stats": {"state": "FINISHED"}}
        return 200, {}, json.dumps({"id": "q1", **told})


class SnowflakeSpoken(Spoken):
    public_key: ClassVar[Any] = None
    fingerprint: ClassVar[str] = ""

    def answer(self, method: str, path: str, body: str) -> Answer:
        if not self._is_known():
            return 401, {}, json.dumps({"code": "390144", "message": "JWT token is invalid."})
        if method == "POST":
            self.server.wanted = json.loads(body)  # pyright: ignore[reportAttributeAccessIssue] - kept for the next call
            return 202, {}, json.dumps({"code": "333334", "statementHandle": "h-1"})
        wanted = self.server.wanted  # pyright: ignore[reportAttributeAccessIssue]
        warehouse = wanted.get("warehouse") if wanted.get("warehouse") != "none" else None
        row = ["9.35.1", wanted.get("role"), warehouse, wanted.get("database")]
        return 200, {}, json.dumps({"code": "090001", "data": [row]})

    def _is_known(self) -> bool:
        token = self.headers["Authorization"].removeprefix("Bearer ")
        if self.headers["X-Snowflake-Authorization-Token-Type"] != "KEYPAIR_JWT":
            return token == PASSWORD
        try:
            claims = jwt.decode(token, self.public_key, algorithms=["RS256"], options={"require": ["exp", "iat"]})
        except jwt.PyJWTError:
            return False
        return (claims["sub"], claims["iss"]) == ("ORG-LAKE.READER", f"ORG-LAKE.READER.{self.fingerprint}")

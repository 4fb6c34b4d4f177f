"""Only a server that really answers counts as one."""

import socket
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import grpc
import pytest

from boathouse.engines.spark.greeting import speaks_http2


@contextmanager
def answering(answer: bytes) -> Generator[int]:
    """A server that says the same to everybody."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            # Who has heard enough hangs up, perhaps in the middle of a word.
            with connection, suppress(OSError):
                connection.sendall(answer)
                while connection.recv(1024):
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


def test_a_grpc_server_answers() -> None:
    with ThreadPoolExecutor(1) as pool:
        server = grpc.server(pool)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        assert speaks_http2("127.0.0.1", port)
        server.stop(None).wait()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"no"])
def test_another_server_does_not(answer: bytes) -> None:
    with answering(answer) as port:
        assert not speaks_http2("127.0.0.1", port)


def test_a_closed_port_does_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert not speaks_http2("127.0.0.1", port)
